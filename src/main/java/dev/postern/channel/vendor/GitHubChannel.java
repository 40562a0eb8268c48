package dev.postern.channel.vendor;

import dev.postern.channel.Channel;
import dev.postern.channel.Channel.Outcome.Refused;
import dev.postern.channel.Channel.Outcome.Sent;
import dev.postern.channel.text.MarkupLanguage;
import dev.postern.channel.text.MessageParts;
import dev.postern.channel.vendor.HttpResult.Response;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A channel to GitHub, which comments on issues, pull requests and commits over the REST API. Each comment hides its id in
 * an HTML comment. An attempt that may be a repeat first searches for that id, because GitHub detects no duplicates.
 *
 * @see <a href="https://docs.github.com/rest/issues/comments">Issue comments</a>
 * @see <a href="https://docs.github.com/rest/commits/comments">Commit comments</a>
 */
final class GitHubChannel implements Channel {

    /** A repository's owner and name. */
    private static final String REPOSITORY =
            "(?<repository>[A-Za-z0-9][A-Za-z0-9_-]{0,99}/(?!\\.{1,2}[#@])[A-Za-z0-9._-]{1,100})";

    private static final Pattern RECIPIENT =
            Pattern.compile(REPOSITORY + "(#(?<issue>[1-9][0-9]{0,9})|@(?<commit>[0-9a-fA-F]{7,64}))");
    private static final String NO_RECIPIENT =
            "to is no recipient on GitHub: write an issue or a pull request such as owner/repo#12, or a commit such as"
                    + " owner/repo@1a2b3c4";

    /** The time by which the clocks of GitHub and of this machine may differ. */
    private static final Duration SKEW = Duration.ofMinutes(10);

    /** The pause after a secondary rate limit without another one: GitHub asks for a minute at least. */
    private static final double SECONDARY_SECONDS = 60;

    private final ChannelEntry entry;
    private final VendorHttpClient http;
    private final VendorResponses vendorResponses;
    private final CommentSearch search;
    private final Map<String, String> headers;
    private final MarkupLanguage markup;

    GitHubChannel(ChannelEntry entry, VendorHttpClient http) {
        this.entry = entry;
        this.http = http;
        this.vendorResponses = entry.service("GitHub", "token", "token");
        this.search = new CommentSearch(vendorResponses, this::judge);
        this.markup = entry.commentMarkup();
        this.headers = Map.of(
                "Authorization",
                "Bearer " + entry.requiredSecret("token"),
                "Accept",
                "application/vnd.github+json",
                "X-GitHub-Api-Version",
                "2022-11-28");
    }

    @Override
    public List<String> parts(String reply) {
        return MessageParts.of(reply, markup, entry.textLimit());
    }

    @Override
    public @Nullable String refusal(@Nullable String to) {
        return to != null && RECIPIENT.matcher(to).matches() ? null : NO_RECIPIENT;
    }

    @Override
    public Outcome send(Message message) {
        Matcher to = RECIPIENT.matcher(message.to() == null ? "" : message.to());
        if (!to.matches()) {
            return new Refused(NO_RECIPIENT);
        }
        String comments = entry.at("/repos/" + to.group("repository"))
                + (to.group("issue") == null ? "/commits/" + to.group("commit") : "/issues/" + to.group("issue"))
                + "/comments";
        Optional<Outcome> known = message.maybeSent() ? earlier(message, comments) : Optional.empty();
        return known.orElseGet(() -> {
            var body = VendorHttpClient.object().put("body", CommentSearch.marked(message));
            return vendorResponses.outcome(http.post(comments, headers, body), this::judge);
        });
    }

    /** The outcome if an earlier attempt has left the comment; commit comments can't be searched by time. */
    private Optional<Outcome> earlier(Message message, String comments) {
        Instant since = message.createdAt().minus(SKEW).truncatedTo(ChronoUnit.SECONDS);
        return search.outcome(
                message,
                "body",
                false,
                page -> http.list(
                        comments + "?since=" + since + "&per_page=" + CommentSearch.PAGE + "&page=" + page, headers));
    }

    @Override
    public Probe probe() {
        return vendorResponses.probe(http.get(entry.at("/user"), headers), response -> {
            String login = response.isGood() ? response.name("/login") : null;
            return login == null ? vendorResponses.bad(judge(response)) : new Probe.Good(login);
        });
    }

    private Outcome judge(Response response) {
        String code = response.statusCode();
        if (response.isGood()) {
            String id = response.id("/id");
            return id == null ? vendorResponses.unclear(code) : new Sent(id);
        }
        Response pausing = response.pausing(pause(response));
        if (isLimited(response)) {
            return vendorResponses.limited(pausing, code);
        }
        return switch (response.status()) {
            case 403 ->
                vendorResponses.refused(
                        code,
                        "give the token write access to the repository's issues, pull requests or contents, and check"
                                + " that the conversation is not locked");
            case 404, 410 ->
                response.body().isContainerNode()
                        ? vendorResponses.refused(code, "there is no such thing, or the token can't see it")
                        : vendorResponses.byStatus(response, code);
            default -> vendorResponses.byStatus(pausing, code);
        };
    }

    /**
     * Whether a rate limit is reached: the primary one, or a secondary one, which the message alone may tell.
     *
     * @see <a href="https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api">Rate limits</a>
     */
    private static boolean isLimited(Response response) {
        return response.status() == 429
                || (response.status() == 403
                        && (response.pause() != null
                                || isSpent(response)
                                || says(response, "rate limit")
                                || says(response, "abuse detection")));
    }

    private static boolean says(Response response, String words) {
        return response.body()
                .path("message")
                .asText("")
                .toLowerCase(Locale.ROOT)
                .contains(words);
    }

    private static boolean isSpent(Response response) {
        return response.headers()
                .firstValue("x-ratelimit-remaining")
                .filter("0"::equals)
                .isPresent();
    }

    /** The pause until the primary limit is reset, or that of a secondary limit, unless the response names another one. */
    private OptionalDouble pause(Response response) {
        if (!isLimited(response) || response.pause() != null) {
            return OptionalDouble.empty();
        }
        OptionalDouble reset =
                isSpent(response) ? response.until("x-ratelimit-reset", http.clock()) : OptionalDouble.empty();
        return OptionalDouble.of(reset.orElse(SECONDARY_SECONDS));
    }
}
