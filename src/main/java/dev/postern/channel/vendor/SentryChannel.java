package dev.postern.channel.vendor;

import dev.postern.channel.Channel.Outcome.Later;
import dev.postern.channel.Channel.Outcome.Sent;
import dev.postern.channel.vendor.HttpResult.Response;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * A channel to Sentry, which comments on issues. Each comment hides its id in an HTML comment. For an hour Sentry itself
 * rejects a second comment with the same text. An attempt that may be a repeat also searches the newest comments. Sentry
 * phases out the addresses without an organization: some time a day, it responds at them that they are gone.
 *
 * @see <a href="https://github.com/getsentry/sentry/blob/master/src/sentry/issues/endpoints/group_notes.py">Notes</a>
 * @see <a href="https://github.com/getsentry/sentry/blob/master/src/sentry/api/helpers/deprecation.py">Brownouts</a>
 * @see <a href="https://docs.sentry.io/api/ratelimits/">Rate limits</a>
 */
final class SentryChannel extends ApiChannel {

    private static final RecipientForm RECIPIENT = new RecipientForm(
            "[1-9][0-9]{0,18}", "to is no recipient in Sentry: write an issue's number such as 4509123456");

    /** The beginning of the error of a comment that exists. */
    private static final String EXISTS = "You have already posted that comment";

    private final CommentSearch search;
    private final Map<String, String> headers;
    private final String issues;

    SentryChannel(ChannelEntry entry, VendorHttpClient http) {
        super(
                entry,
                http,
                entry.service("Sentry", "token", "token").limitingAccount(),
                entry.commentMarkup(),
                RECIPIENT);
        this.search = new CommentSearch(vendorResponses, this::judge);
        this.headers = Map.of("Authorization", "Bearer " + entry.requiredSecret("token"));
        this.issues = issues(entry.settings().options().get("organization"));
    }

    private static String issues(@Nullable String organization) {
        return organization == null
                ? "/api/0/issues/"
                : "/api/0/organizations/" + VendorHttpClient.encoded(organization) + "/issues/";
    }

    @Override
    public boolean recognisesRepeats() {
        return true;
    }

    @Override
    Outcome send(Message message, Matcher recipient) {
        String comments = entry.at(issues + recipient.group() + "/comments/");
        var newest = new CommentSearch.Listing(
                "", "/data/text", true, 1, page -> http.list(comments + "?per_page=" + CommentSearch.PAGE, headers));
        Optional<Outcome> known =
                message.maybeSent() ? search.outcome(CommentSearch.hiddenId(message), newest) : Optional.empty();
        return known.orElseGet(() -> vendorResponses.outcome(
                http.post(comments, headers, VendorHttpClient.object().put("text", CommentSearch.marked(message))),
                this::judge));
    }

    /** Asks whose the token is; Sentry responds without a user or a token if it doesn't know the token. */
    @Override
    public Probe probe() {
        return vendorResponses.probe(http.get(entry.at("/api/0/"), headers), response -> {
            if (!response.isGood()) {
                return vendorResponses.bad(judge(response));
            }
            boolean known = response.body().path("user").isObject()
                    || response.body().path("auth").isObject();
            return known
                    ? entry.valid(response.name("/user/name"), response.name("/user/id"))
                    : vendorResponses.bad(vendorResponses.badCredential(response.statusCode()));
        });
    }

    private Outcome judge(Response response) {
        String code = response.statusCode();
        if (response.isGood()) {
            String id = response.id("/id");
            return id == null ? vendorResponses.unclear(code) : new Sent(id);
        }
        return switch (response.status()) {
            case 400 ->
                response.body().toString().contains(EXISTS)
                        ? new Sent(null)
                        : vendorResponses.refused(code, "if the text is too long, lower " + entry.setting("textLimit"));
            case 403 ->
                vendorResponses.refused(
                        code,
                        "give the token the scope event:write, and take one that belongs to a user or an integration");
            case 410 ->
                new Later(
                        response.pause(),
                        "Sentry phases out the address without an organization (" + code + "): set "
                                + entry.setting("organization"));
            case 404 ->
                response.body().isContainerNode()
                        ? vendorResponses.refused(code, "there is no such issue, or the token can't see it")
                        : vendorResponses.byStatus(response, code);
            default ->
                vendorResponses.byStatus(
                        response.pausingForLimit(response.until("X-Sentry-Rate-Limit-Reset", http.clock())), code);
        };
    }
}
