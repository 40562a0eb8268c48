package dev.postern.channel.vendor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.channel.Channel.Outcome.Sent;
import dev.postern.channel.text.MarkupLanguage;
import dev.postern.channel.vendor.HttpResult.Response;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A channel to PagerDuty, which adds notes to incidents. A note is plain text, so its id is visible at its end. An attempt
 * that may be a repeat first searches the incident's notes for that id, because PagerDuty detects no duplicates.
 *
 * @see <a href="https://developer.pagerduty.com/api-reference/a1ac30885eb7a-create-a-note-on-an-incident">Create a note</a>
 * @see <a href="https://developer.pagerduty.com/docs/rest-api-rate-limits">Rate limits</a>
 */
final class PagerDutyChannel extends ApiChannel {

    private static final RecipientForm RECIPIENT = new RecipientForm(
            "[A-Z0-9]{5,32}", "to is no recipient in PagerDuty: write an incident's id such as Q1A2B3C4D5E6F7");

    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,5}");

    private final CommentSearch search;
    private final Map<String, String> headers;

    PagerDutyChannel(ChannelEntry entry, VendorHttpClient http) {
        super(
                entry,
                http,
                entry.service("PagerDuty", "key", "apiKey").limitingAccount(),
                MarkupLanguage.PLAIN,
                RECIPIENT);
        this.search = new CommentSearch(vendorResponses, this::judge);
        this.headers = Map.of(
                "Authorization",
                "Token token=" + entry.requiredSecret("apiKey"),
                "From",
                entry.option("from"),
                "Accept",
                "application/vnd.pagerduty+json;version=2");
    }

    @Override
    public boolean recognisesRepeats() {
        return true;
    }

    @Override
    Outcome send(Message message, Matcher recipient) {
        String notes = entry.at("/incidents/" + recipient.group() + "/notes");
        String id = CommentSearch.shownId(message);
        var all = new CommentSearch.Listing("/notes", "/content", true, 1, page -> http.list(notes, headers));
        Optional<Outcome> known = message.maybeSent() ? search.outcome(id, all) : Optional.empty();
        return known.orElseGet(() -> {
            ObjectNode body = VendorHttpClient.object();
            body.putObject("note").put("content", message.text() + "\n" + id);
            return vendorResponses.outcome(http.post(notes, headers, body), this::judge);
        });
    }

    /** Asks for the account's abilities, which proves the key, and for the user in whose name notes are added. */
    @Override
    public Probe probe() {
        return vendorResponses.probe(
                http.get(entry.at("/abilities"), headers),
                response ->
                        response.isGood() && response.body().path("abilities").isArray()
                                ? entry.valid(null, user())
                                : vendorResponses.bad(judge(response)));
    }

    /** The id of the user in whose name notes are added; null if the key does not show it. */
    private @Nullable String user() {
        String from = entry.option("from");
        HttpResult result = http.list(entry.at("/users?query=" + VendorHttpClient.encoded(from)), headers);
        if (result instanceof Response response && response.isGood()) {
            int index = 0;
            for (JsonNode user : response.body().path("users")) {
                if (user.path("email").asText("").equalsIgnoreCase(from)) {
                    return response.id("/users/" + index + "/id");
                }
                index++;
            }
        }
        return null;
    }

    private Outcome judge(Response response) {
        String code = response.code("/error/code");
        if (response.isGood()) {
            String id = response.id("/note/id");
            return id == null ? vendorResponses.unclear(code) : new Sent(id);
        }
        return switch (response.status()) {
            case 400 ->
                vendorResponses.refused(
                        code,
                        "write in " + entry.setting("from")
                                + " the mail address of one of the account's users, or lower "
                                + entry.setting("textLimit") + "; an incident takes 2,000 notes at most");
            case 403 -> vendorResponses.refused(code, "use a key that may write");
            case 404 ->
                response.body().isContainerNode()
                        ? vendorResponses.refused(code, "there is no such incident, or the key can't see it")
                        : vendorResponses.byStatus(response, code);
            default -> vendorResponses.byStatus(response.pausingForLimit(reset(response)), code);
        };
    }

    /** The seconds until the rate limit is reset. */
    private static OptionalDouble reset(Response response) {
        return response.headers()
                .firstValue("ratelimit-reset")
                .filter(value -> SECONDS.matcher(value).matches())
                .map(value -> OptionalDouble.of(Integer.parseInt(value)))
                .orElse(OptionalDouble.empty());
    }
}
