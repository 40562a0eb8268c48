package dev.postern.channel.vendor;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.channel.Channel.Message;
import dev.postern.channel.Channel.Outcome;
import dev.postern.channel.Channel.Outcome.Later;
import dev.postern.channel.Channel.Outcome.Sent;
import dev.postern.channel.Channel.Outcome.Unsure;
import dev.postern.channel.vendor.HttpResult.Lost;
import dev.postern.channel.vendor.HttpResult.Response;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * A search for the comment that an earlier attempt may have left, by the id that is hidden in it. It reads up to
 * {@value #MOST_PAGES} pages of {@value #PAGE} comments.
 *
 * @param responses interpreter of the service's responses
 * @param judge interprets a response that is no success
 */
record CommentSearch(VendorResponses responses, Function<Response, Outcome> judge) {

    /** Number of comments on a page. */
    static final int PAGE = 50;

    private static final int MOST_PAGES = 20;

    /** The HTML comment that carries the id of {@code message}; nobody sees it where Markdown is shown. */
    static String hiddenId(Message message) {
        return "<!-- postern:" + message.id() + " -->";
    }

    /** The text of {@code message} with its id hidden behind it. */
    static String marked(Message message) {
        return message.text() + "\n\n" + hiddenId(message);
    }

    /**
     * The outcome of {@code message} if it must not be sent now: the comment exists, or the search failed. Empty if there
     * is no such comment.
     *
     * @param field name of a comment's text
     * @param newestFirst whether the newest comments come first, so that the older ones need no look
     * @param pages requests a page of comments, an array of objects, by number from 1
     */
    Optional<Outcome> outcome(Message message, String field, boolean newestFirst, IntFunction<HttpResult> pages) {
        String hidden = hiddenId(message);
        for (int number = 1; number <= MOST_PAGES; number++) {
            HttpResult result = pages.apply(number);
            if (!(result instanceof Response page)
                    || !page.isGood()
                    || !page.body().isArray()) {
                return Optional.of(failure(result));
            }
            int index = 0;
            for (JsonNode comment : page.body()) {
                if (comment.path(field).asText("").contains(hidden)) {
                    return Optional.of(new Sent(page.id("/" + index + "/id")));
                }
                index++;
            }
            if (index < PAGE) {
                return Optional.empty();
            }
        }
        return newestFirst
                ? Optional.empty()
                : Optional.of(new Unsure(responses.name()
                        + " has too many comments there to find out whether an earlier attempt left one"));
    }

    /** The outcome of a search without a result; this attempt has sent nothing. */
    private Outcome failure(HttpResult result) {
        if (result instanceof Lost lost) {
            return new Later(null, responses.sentence(lost.fault()));
        }
        return responses.outcome(result, judge);
    }
}
