package dev.postern.channel.vendor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.channel.Channel.Outcome.Sent;
import dev.postern.channel.FileChannel;
import dev.postern.channel.text.CodeFile;
import dev.postern.channel.text.MarkupLanguage;
import dev.postern.channel.vendor.HttpResult.Response;
import dev.postern.model.Sha256;
import java.util.Base64;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Matcher;

/**
 * A channel to Discord over its HTTP API's Create Message. For some minutes Discord detects a duplicate by its nonce, and
 * returns the existing message. Mentions ping no one and links are not previewed, because a reply may repeat untrusted
 * content.
 *
 * @see <a href="https://discord.com/developers/docs/resources/message#create-message">Create Message</a>
 */
final class DiscordChannel extends ApiChannel implements FileChannel {

    /** A thread is a channel too; the id of the channel that it is in may precede its own. */
    private static final RecipientForm RECIPIENT = new RecipientForm(
            "(?:[1-9][0-9]{0,19}/)?(?<id>[1-9][0-9]{0,19})",
            "to is no recipient on Discord: write a channel's id, which is a number such as 1046111111111111111,"
                    + " and for a thread a slash and the thread's id");

    /** Length of a nonce, which may have up to 25 characters. */
    private static final int NONCE_LENGTH = 24;

    private static final int SUPPRESS_EMBEDS = 1 << 2;

    /** Codes of limits: slow mode, write limits, too many direct messages, "resource limited" and "overloaded"; and of messages that are switched off for a while. */
    private static final Set<String> OF_A_LIMIT =
            Set.of("20016", "20028", "20029", "40003", "40004", "40062", "130000");
    /** Codes of a bad token: "unauthorized" and "invalid authentication token". */
    private static final Set<String> OF_THE_TOKEN = Set.of("40001", "50014");

    private static final Map<String, String> ADVICE = Map.of(
            "10003", "there is no such channel, or the bot can't see it",
            "50001", "let the bot see the channel",
            "50007", "the user takes no messages from the bot",
            "50008", "choose a channel for text",
            "50013", "let the bot write in the channel",
            "50083", "the thread is archived",
            "160005", "the thread is locked",
            "200000", "the server's moderation rules forbid it",
            "240000", "it holds a link that Discord takes for harmful");

    private static final Map<String, String> FILE_ADVICE = Map.of(
            "40005", "it is larger than the server takes",
            "50013", "give the bot the permission Attach Files in the channel");

    private final Map<String, String> headers;

    DiscordChannel(ChannelEntry entry, VendorHttpClient http) {
        super(
                entry,
                http.withAgent("DiscordBot (https://postern.dev, " + http.version() + ")"),
                entry.service("Discord", "token", "botToken"),
                MarkupLanguage.DISCORD,
                RECIPIENT);
        this.headers = Map.of("Authorization", "Bot " + entry.requiredSecret("botToken"));
    }

    @Override
    Outcome send(Message message, Matcher recipient) {
        ObjectNode body = body(message).put("content", message.text());
        return vendorResponses.outcome(http.post(messages(recipient), headers, body), this::judge);
    }

    @Override
    public Outcome sendFile(Message message, CodeFile file) {
        ObjectNode body = body(message);
        body.putArray("attachments").addObject().put("id", "0").put("filename", file.name());
        HttpBody form = new MultipartForm(file).with("payload_json", body).body("files[0]");
        return toRecipient(
                message,
                recipient -> vendorResponses.outcome(http.post(messages(recipient), headers, form), this::judgeFile));
    }

    private String messages(Matcher recipient) {
        return entry.at("/channels/" + recipient.group("id") + "/messages");
    }

    private static ObjectNode body(Message message) {
        ObjectNode body = VendorHttpClient.object()
                .put("nonce", nonce(message.id()))
                .put("enforce_nonce", true)
                .put("flags", SUPPRESS_EMBEDS);
        body.putObject("allowed_mentions").putArray("parse");
        return body;
    }

    @Override
    public Probe probe() {
        return vendorResponses.probe(http.get(entry.at("/users/@me"), headers), response -> {
            String id = response.isGood() ? response.id("/id") : null;
            return id == null ? vendorResponses.bad(judge(response)) : new Probe.Good(response.name("/username"));
        });
    }

    private Outcome judgeFile(Response response) {
        String code = response.code("/code");
        String advice = response.isGood() ? null : FILE_ADVICE.get(code);
        return advice == null ? judge(response) : vendorResponses.refusedFile(code, advice);
    }

    private Outcome judge(Response response) {
        String id = response.id("/id");
        if (response.isGood() && id != null) {
            return new Sent(id);
        }
        String given = response.code("/code");
        String code = given.equals("0") ? "status " + response.status() : given;
        if (OF_THE_TOKEN.contains(code)) {
            return vendorResponses.badCredential(code);
        }
        Response pausing = response.pausing(pause(response));
        if (OF_A_LIMIT.contains(code)) {
            return vendorResponses.limited(pausing, code);
        }
        String advice = ADVICE.get(code);
        VendorResponses responses =
                response.body().path("global").asBoolean() ? vendorResponses.limitingAccount() : vendorResponses;
        return advice == null ? responses.byStatus(pausing, code) : responses.refused(code, advice);
    }

    private static OptionalDouble pause(Response response) {
        JsonNode seconds = response.body().path("retry_after");
        return seconds.isNumber() ? OptionalDouble.of(seconds.doubleValue()) : OptionalDouble.empty();
    }

    private static String nonce(String id) {
        return Base64.getUrlEncoder().encodeToString(Sha256.of(id)).substring(0, NONCE_LENGTH);
    }
}
