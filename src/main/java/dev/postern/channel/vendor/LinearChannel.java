package dev.postern.channel.vendor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.channel.Channel.Outcome.Sent;
import dev.postern.channel.text.MarkupLanguage;
import dev.postern.channel.vendor.HttpResult.Response;
import dev.postern.model.DeliveryMark;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A channel to Linear, which comments on issues over the GraphQL API. The channel chooses each comment's id, a mark that is
 * the same for each attempt, and Linear rejects a second comment with it. Linear's limits refill all the time, so a limit without
 * {@code Retry-After} has no pause of its own.
 *
 * @see <a href="https://linear.app/developers/graphql">Linear's GraphQL API</a>
 * @see <a href="https://linear.app/developers/rate-limiting">Rate limiting</a>
 * @see <a href="https://github.com/linear/linear/blob/master/packages/sdk/src/error.ts">The types of errors</a>
 */
final class LinearChannel extends ApiChannel {

    private static final RecipientForm RECIPIENT = new RecipientForm(
            "[A-Za-z][A-Za-z0-9]{0,9}-[1-9][0-9]{0,8}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}",
            "to is no recipient in Linear: write an issue's identifier such as ABC-12, or its id");

    private static final String CREATE =
            "mutation($input: CommentCreateInput!) { commentCreate(input: $input) { success comment { id } } }";

    /** An address in Linear: that of a person's profile mentions the person, that of an issue refers to it. */
    private static final Pattern ADDRESS = Pattern.compile("(?i)(linear\\.app)(?=[/:?#])");

    private static final String APART = "$1\u200B";

    /** Codes and types of a bad key. */
    private static final Set<String> OF_THE_KEY =
            Set.of("AUTHENTICATION_ERROR", "UNAUTHENTICATED", "authentication error");

    /** Codes and types of a rate limit. */
    private static final Set<String> OF_A_LIMIT = Set.of("RATELIMITED", "ratelimited");

    /** Codes and types of a failure that passes, whatever the status. */
    private static final Set<String> PASSING = Set.of(
            "INTERNAL_SERVER_ERROR",
            "LOCK_TIMEOUT",
            "internal error",
            "lock timeout",
            "network error",
            "bootstrap error");

    private final Map<String, String> headers;

    LinearChannel(ChannelEntry entry, VendorHttpClient http) {
        super(
                entry,
                http,
                entry.service("Linear", "key", "apiKey").limitingAccount(),
                entry.commentMarkup(),
                RECIPIENT);
        this.headers = Map.of("Authorization", entry.requiredSecret("apiKey"));
    }

    @Override
    public List<String> parts(String reply) {
        List<String> parts = super.parts(reply);
        return markup == MarkupLanguage.COMMENT_WITH_MENTIONS
                ? parts
                : parts.stream()
                        .map(part -> ADDRESS.matcher(part).replaceAll(APART))
                        .toList();
    }

    @Override
    public boolean recognisesRepeats() {
        return true;
    }

    @Override
    Outcome send(Message message, Matcher recipient) {
        String id = DeliveryMark.uuid(message.id()).toString();
        ObjectNode body = VendorHttpClient.object().put("query", CREATE);
        body.putObject("variables")
                .putObject("input")
                .put("id", id)
                .put("issueId", recipient.group())
                .put("body", message.text());
        return vendorResponses.outcome(
                http.post(entry.at("/graphql"), headers, body),
                response -> exists(response) ? new Sent(id) : judge(response));
    }

    /** Whether Linear rejects the comment because an earlier attempt has left it. */
    private static boolean exists(Response response) {
        return response.code("/errors/0/extensions/code").equals("INPUT_ERROR")
                && response.body()
                        .at("/errors/0/message")
                        .asText("")
                        .toLowerCase(Locale.ROOT)
                        .startsWith("conflict on insert of comment");
    }

    @Override
    public Probe probe() {
        ObjectNode query = VendorHttpClient.object().put("query", "{ viewer { id name } }");
        return vendorResponses.probe(http.post(entry.at("/graphql"), headers, query), response -> {
            String name = response.isGood() ? response.name("/data/viewer/name") : null;
            return name == null
                    ? vendorResponses.bad(judge(response))
                    : entry.valid(name, response.name("/data/viewer/id"));
        });
    }

    private Outcome judge(Response response) {
        String id = response.id("/data/commentCreate/comment/id");
        if (response.isGood() && id != null) {
            return new Sent(id);
        }
        String code = response.code("/errors/0/extensions/code");
        if (isAny(response, OF_THE_KEY)) {
            return vendorResponses.badCredential(code);
        }
        if (isAny(response, OF_A_LIMIT)) {
            return vendorResponses.limited(response, code);
        }
        if (isAny(response, PASSING)) {
            return vendorResponses.failing(response, code);
        }
        if (isAny(response, Set.of("FORBIDDEN", "forbidden"))) {
            return vendorResponses.refused(code, "give the key the permission to create comments");
        }
        if (isAny(response, Set.of("INPUT_ERROR", "invalid input"))) {
            return vendorResponses.refused(
                    code,
                    "there is no such issue, the key can't see it, or the text is too long; then lower "
                            + entry.setting("textLimit"));
        }
        return response.isGood() && response.body().has("errors")
                ? vendorResponses.refused(code)
                : vendorResponses.byStatus(response, code);
    }

    /** Whether the first error has one of {@code names} as its code or its type; not every error has both. */
    private static boolean isAny(Response response, Set<String> names) {
        JsonNode extensions = response.body().at("/errors/0/extensions");
        return names.contains(extensions.path("code").asText(""))
                || names.contains(extensions.path("type").asText(""));
    }
}
