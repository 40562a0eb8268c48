package dev.postern.channel.vendor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.channel.Channel.Outcome.Refused;
import dev.postern.channel.Channel.Outcome.Sent;
import dev.postern.channel.Channel.Outcome.Unsure;
import dev.postern.channel.text.AtlassianDocument;
import dev.postern.channel.text.MarkupLanguage;
import dev.postern.channel.text.MessageParts;
import dev.postern.channel.vendor.HttpResult.Response;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.stream.Stream;

/**
 * A channel to Jira Cloud, which comments on issues over the REST API, version 3. Each comment has its id in a property. An
 * attempt that may be a repeat first looks at the properties of the comments since the delivery was created.
 *
 * @see <a href="https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-comments/">Issue comments</a>
 */
final class JiraChannel extends ApiChannel {

    private static final RecipientForm RECIPIENT = new RecipientForm(
            "[A-Za-z][A-Za-z0-9_]{1,99}-[1-9][0-9]{0,9}",
            "to is no recipient in Jira: write an issue's key such as ABC-12");

    /** The key of the property with a comment's id. */
    private static final String PROPERTY = "postern";

    /** Number of comments whose properties are looked at. */
    private static final int MOST = 50;

    /**
     * The longest JSON of a document without its last line, in UTF-16 units. A text has up to 32,767 characters, and it is
     * not published whether those of the JSON count.
     */
    private static final int LONGEST_DOCUMENT = 32_500;

    /** The shortest limit of a part that {@link MessageParts} takes. */
    private static final int SHORTEST_LIMIT = 100;

    /** The time by which the clocks of Jira and of this machine may differ. */
    private static final Duration SKEW = Duration.ofMinutes(10);

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSZ", Locale.ROOT);

    private final CommentSearch search;
    private final Map<String, String> headers;

    JiraChannel(ChannelEntry entry, VendorHttpClient http) {
        super(entry, http, entry.service("Jira", "token", "token").limitingAccount(), MarkupLanguage.RAW, RECIPIENT);
        this.search = new CommentSearch(vendorResponses, this::judge);
        String account = entry.option("email") + ":" + entry.requiredSecret("token");
        this.headers = Map.of(
                "Authorization",
                "Basic " + Base64.getEncoder().encodeToString(account.getBytes(StandardCharsets.UTF_8)),
                "Accept",
                "application/json");
    }

    @Override
    public List<String> parts(String reply) {
        return super.parts(reply).stream()
                .flatMap(JiraChannel::withShortDocuments)
                .toList();
    }

    /** The part, or what it is cut into until the JSON of each document is short enough. */
    private static Stream<String> withShortDocuments(String part) {
        int half = part.length() / 2;
        return half < SHORTEST_LIMIT || AtlassianDocument.of(part).toString().length() <= LONGEST_DOCUMENT
                ? Stream.of(part)
                : MessageParts.of(part, MarkupLanguage.RAW, half).stream().flatMap(JiraChannel::withShortDocuments);
    }

    @Override
    public boolean recognisesRepeats() {
        return true;
    }

    @Override
    Outcome send(Message message, Matcher recipient) {
        String comments = entry.at("/rest/api/3/issue/" + recipient.group() + "/comment");
        Optional<Outcome> known = message.maybeSent() ? earlier(message, comments) : Optional.empty();
        return known.orElseGet(() -> vendorResponses.outcome(http.post(comments, headers, body(message)), this::judge));
    }

    private static ObjectNode body(Message message) {
        ObjectNode body = VendorHttpClient.object();
        ObjectNode document = AtlassianDocument.of(message.text());
        document.withArray("/content")
                .addObject()
                .put("type", "paragraph")
                .putArray("content")
                .addObject()
                .put("type", "text")
                .put("text", CommentSearch.shownId(message));
        body.set("body", document);
        body.putArray("properties")
                .addObject()
                .put("key", PROPERTY)
                .putObject("value")
                .put("id", message.id());
        return body;
    }

    /** The outcome if an earlier attempt has left the comment, or if that can't be found out now. */
    private Optional<Outcome> earlier(Message message, String comments) {
        HttpResult listed = http.list(comments + "?orderBy=-created&maxResults=" + MOST, headers);
        if (!(listed instanceof Response response)
                || !response.isGood()
                || !response.body().has("comments")) {
            return Optional.of(search.failure(listed));
        }
        int number = 0;
        for (JsonNode comment : response.body().path("comments")) {
            if (isBefore(comment, message.createdAt().minus(SKEW))) {
                return Optional.empty();
            }
            String id = response.id("/comments/" + number + "/id");
            Optional<Outcome> outcome = id == null ? Optional.empty() : owned(message, id);
            if (outcome.isPresent()) {
                return outcome;
            }
            number++;
        }
        return number < MOST
                ? Optional.empty()
                : Optional.of(
                        new Unsure("Jira has too many comments there to find out whether an earlier attempt left one"));
    }

    private static boolean isBefore(JsonNode comment, Instant time) {
        try {
            return OffsetDateTime.parse(comment.path("created").asText(""), TIME)
                    .toInstant()
                    .isBefore(time);
        } catch (DateTimeException unreadable) {
            return false;
        }
    }

    /** The outcome if the comment {@code id} is that of {@code message}, or if Jira does not say. */
    private Optional<Outcome> owned(Message message, String id) {
        HttpResult result = http.get(
                entry.at("/rest/api/3/comment/" + VendorHttpClient.encoded(id) + "/properties/" + PROPERTY), headers);
        if (result instanceof Response response && response.status() == 404) {
            return Optional.empty();
        }
        if (result instanceof Response response && response.isGood()) {
            return message.id().equals(response.text("/value/id")) ? Optional.of(new Sent(id)) : Optional.empty();
        }
        return Optional.of(search.failure(result));
    }

    @Override
    public Probe probe() {
        return vendorResponses.probe(http.get(entry.at("/rest/api/3/myself"), headers), response -> {
            String name = response.isGood() ? response.name("/displayName") : null;
            return name == null ? vendorResponses.bad(judge(response)) : entry.valid(name, response.name("/accountId"));
        });
    }

    private Outcome judge(Response response) {
        String code = response.statusCode();
        if (response.isGood()) {
            String id = response.id("/id");
            return id == null ? vendorResponses.unclear(code) : new Sent(id);
        }
        return switch (response.status()) {
            case 401 ->
                new Refused("Jira refused the account (" + code + "): set " + entry.setting("email") + " and "
                        + entry.setting("token"));
            case 400 ->
                vendorResponses.refused(
                        code,
                        "give the account the permission to add comments, or lower " + entry.setting("textLimit"));
            case 403 -> vendorResponses.refused(code, "give the account the permission to add comments");
            case 404 ->
                response.body().isContainerNode()
                        ? vendorResponses.refused(code, "there is no such issue, or the account can't see it")
                        : vendorResponses.byStatus(response, code);
            case 413 -> vendorResponses.refused(code, "the issue has too many comments");
            default -> vendorResponses.byStatus(response.pausingForLimit(reset(response)), code);
        };
    }

    /**
     * The seconds until the rate limit is reset.
     *
     * @see <a href="https://developer.atlassian.com/cloud/jira/platform/rate-limiting/">Rate limiting</a>
     */
    private OptionalDouble reset(Response response) {
        Optional<String> reset = response.headers().firstValue("X-RateLimit-Reset");
        if (reset.isEmpty()) {
            return OptionalDouble.empty();
        }
        try {
            Instant end = OffsetDateTime.parse(reset.get()).toInstant();
            return OptionalDouble.of(
                    Duration.between(http.clock().instant(), end).toMillis() / 1000.0);
        } catch (DateTimeException unreadable) {
            return OptionalDouble.empty();
        }
    }
}
