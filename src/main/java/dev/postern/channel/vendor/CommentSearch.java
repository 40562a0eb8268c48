package dev.postern.channel.vendor;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.channel.Channel.Message;
import dev.postern.channel.Channel.Outcome;
import dev.postern.channel.Channel.Outcome.Later;
import dev.postern.channel.Channel.Outcome.Sent;
import dev.postern.channel.Channel.Outcome.Unsure;
import dev.postern.channel.vendor.HttpResult.Lost;
import dev.postern.channel.vendor.HttpResult.Response;
import dev.postern.model.DeliveryMark;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.regex.Pattern;

/**
 * A search for the comment that an earlier attempt may have left, by the id that is hidden in it.
 *
 * @param responses interpreter of the service's responses
 * @param judge interprets a response that is no success
 */
record CommentSearch(VendorResponses responses, Function<Response, Outcome> judge) {

    /** Number of comments on a page. */
    static final int PAGE = 50;

    private static final int MOST_PAGES = 20;

    /** A link to a further page (RFC 8288), which a page with fewer comments may have: GitLab withholds some of them. */
    private static final Pattern NEXT = Pattern.compile("(?i);\\s*rel=\"?next\\b");

    /**
     * A service's list of comments.
     *
     * @param array pointer (RFC 6901) to the array of comments, each with an {@code id}
     * @param text pointer to the text in a comment
     * @param newestFirst whether the newest comments come first, so that the older ones need no look
     * @param most number of pages to look at
     * @param pages requests a page by its number, from 1
     */
    record Listing(String array, String text, boolean newestFirst, int most, IntFunction<HttpResult> pages) {

        /** A list of up to 1,000 comments, whose response is an array. */
        Listing(String text, boolean newestFirst, IntFunction<HttpResult> pages) {
            this("", text, newestFirst, MOST_PAGES, pages);
        }
    }

    /** The HTML comment that carries the id of {@code message}; nobody sees it where Markdown is shown. */
    static String hiddenId(Message message) {
        return "<!-- " + DeliveryMark.text(message.id()) + " -->";
    }

    /** The id of {@code message} as readers see it, where a service has no hidden text. */
    static String shownId(Message message) {
        return "(" + DeliveryMark.text(message.id()) + ")";
    }

    /** The text of {@code message} with its id hidden behind it. */
    static String marked(Message message) {
        return message.text() + "\n\n" + hiddenId(message);
    }

    /**
     * The outcome of a message if it must not be sent now: its comment exists, or the search failed. Empty if there is no
     * such comment.
     *
     * @param hidden text that this comment alone contains
     * @param listing the comments among which it could be
     */
    Optional<Outcome> outcome(String hidden, Listing listing) {
        for (int number = 1; number <= listing.most(); number++) {
            HttpResult result = listing.pages().apply(number);
            if (!(result instanceof Response page)
                    || !page.isGood()
                    || !page.body().at(listing.array()).isArray()) {
                return Optional.of(failure(result));
            }
            int index = 0;
            for (JsonNode comment : page.body().at(listing.array())) {
                if (comment.at(listing.text()).asText("").contains(hidden)) {
                    return Optional.of(new Sent(page.id(listing.array() + "/" + index + "/id")));
                }
                index++;
            }
            if (index < PAGE && !NEXT.matcher(links(page)).find()) {
                return Optional.empty();
            }
        }
        return listing.newestFirst()
                ? Optional.empty()
                : Optional.of(new Unsure(responses.name()
                        + " has too many comments there to find out whether an earlier attempt left one"));
    }

    private static String links(Response page) {
        return String.join(",", page.headers().allValues("Link"));
    }

    /** The outcome of a search without a result; this attempt has sent nothing. */
    Outcome failure(HttpResult result) {
        if (result instanceof Lost lost) {
            return new Later(null, responses.sentence(lost.fault()));
        }
        return result instanceof Response response && response.isGood()
                ? responses.unclear(response.statusCode())
                : responses.outcome(result, judge);
    }
}
