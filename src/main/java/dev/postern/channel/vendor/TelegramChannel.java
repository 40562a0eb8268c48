package dev.postern.channel.vendor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.channel.Channel.Outcome.Sent;
import dev.postern.channel.FileChannel;
import dev.postern.channel.text.CodeFile;
import dev.postern.channel.text.MarkupLanguage;
import dev.postern.channel.vendor.HttpResult.Response;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A channel to Telegram over the Bot API's {@code sendMessage}. The token is part of the URL. A text whose HTML Telegram
 * can't read is sent once more as plain text, and a message to a group that has become a supergroup is sent to that. Links
 * are not previewed, so that reading a reply does not fetch addresses from untrusted content.
 *
 * @see <a href="https://core.telegram.org/bots/api#sendmessage">sendMessage</a>
 */
final class TelegramChannel extends ApiChannel implements FileChannel {

    /** A chat, with the number of a topic and that of the message to answer where they are given. */
    private static final RecipientForm RECIPIENT = new RecipientForm(
            "(?<chat>-?[1-9][0-9]{0,15}|@[A-Za-z][A-Za-z0-9_]{2,31})"
                    + "(?:/(?<topic>[1-9][0-9]{0,9}))?(?:#(?<message>[1-9][0-9]{0,9}))?",
            "to is no recipient on Telegram: write a chat's number such as 123456789 or -1001234567890,"
                    + " or a public name such as @ops; for a topic /42 behind it, to answer a message #1337");

    /** The number of a forum's first topic, which takes what has no number; with it, Telegram finds no topic. */
    private static final String GENERAL = "1";

    private static final Pattern LINK = Pattern.compile("<a href=\"([^\"<>]*)\">([^<]*)</a>");
    private static final Pattern TAG =
            Pattern.compile("</?(?:b|blockquote|code|del|em|i|ins|pre|s|span|strike|strong|tg-spoiler|u)(?: [^<>]*)?>");
    private static final Pattern RETRY = Pattern.compile("retry after ([0-9]{1,9})");

    /** Advice by words in an error's description; there are no error codes except the statuses. */
    private static final Map<String, String> ADVICE = Map.of(
            "chat not found", "there is no such chat, or nobody there has written to the bot yet",
            "bot was blocked", "the user has blocked the bot",
            "bot was kicked", "the bot is no longer in the chat",
            "bot is not a member", "add the bot to the chat",
            "user is deactivated", "the user's account is gone",
            "can't initiate conversation", "the user has to write to the bot first",
            "not enough rights", "let the bot write in the chat",
            "message is too long", "lower the channel's textLimit",
            "message thread not found", "there is no such topic");

    private final String address;

    TelegramChannel(ChannelEntry entry, VendorHttpClient http) {
        super(entry, http, entry.service("Telegram", "token", "botToken"), MarkupLanguage.TELEGRAM, RECIPIENT);
        this.address = entry.at("/bot"
                + VendorHttpClient.encoded(entry.requiredSecret("botToken")).replace("%3A", ":"));
    }

    @Override
    Outcome send(Message message, Matcher recipient) {
        return vendorResponses.outcome(following(recipient, chat -> post(chat, message.text())), this::judge);
    }

    @Override
    public Outcome sendFile(Message message, CodeFile file) {
        return toRecipient(
                message,
                recipient -> vendorResponses.outcome(following(recipient, chat -> post(chat, file)), this::judgeFile));
    }

    /** The result of {@code post}, again for the supergroup if the group has become one. */
    private static HttpResult following(Matcher recipient, Function<Matcher, HttpResult> post) {
        HttpResult httpResult = post.apply(recipient);
        Matcher moved = RECIPIENT.match(said(httpResult, 400, "/parameters/migrate_to_chat_id"));
        return moved == null ? httpResult : post.apply(moved);
    }

    @Override
    public Probe probe() {
        return vendorResponses.probe(
                http.get(address + "/getMe", Map.of()),
                response -> isOk(response)
                        ? new Probe.Good(response.name("/result/username"))
                        : vendorResponses.bad(judge(response)));
    }

    private HttpResult post(Matcher recipient, String html) {
        ObjectNode body = body(recipient, html).put("parse_mode", "HTML");
        HttpResult httpResult = http.post(address + "/sendMessage", Map.of(), body);
        String fault = said(httpResult, 400, "/description");
        return fault != null && fault.contains("can't parse entities")
                ? http.post(address + "/sendMessage", Map.of(), body(recipient, plain(html)))
                : httpResult;
    }

    private HttpResult post(Matcher recipient, CodeFile file) {
        MultipartForm form = new MultipartForm(file);
        place(recipient).properties().forEach(field -> form.with(field.getKey(), field.getValue()));
        return http.post(
                address + "/sendDocument",
                Map.of(),
                form.with("disable_content_type_detection", BooleanNode.TRUE).body("document"));
    }

    private static ObjectNode body(Matcher recipient, String text) {
        ObjectNode body = place(recipient).put("text", text);
        body.putObject("link_preview_options").put("is_disabled", true);
        return body;
    }

    /** The parameters that say where a message appears. */
    private static ObjectNode place(Matcher recipient) {
        ObjectNode body = VendorHttpClient.object();
        String chat = recipient.group("chat");
        if (chat.startsWith("@")) {
            body.put("chat_id", chat);
        } else {
            body.put("chat_id", Long.parseLong(chat));
        }
        if (recipient.group("topic") != null && !recipient.group("topic").equals(GENERAL)) {
            body.put("message_thread_id", Long.parseLong(recipient.group("topic")));
        }
        if (recipient.group("message") != null) {
            body.putObject("reply_parameters")
                    .put("message_id", Long.parseLong(recipient.group("message")))
                    .put("allow_sending_without_reply", true);
        }
        return body;
    }

    /** {@code html} as plain text, with each link's address behind the link. */
    private static String plain(String html) {
        return LINK.matcher(TAG.matcher(html).replaceAll(""))
                .replaceAll("$2 ($1)")
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"")
                .replace("&amp;", "&");
    }

    private Outcome judgeFile(Response response) {
        String code = response.code("/error_code");
        if (response.status() == 413) {
            return vendorResponses.refusedFile(code, "it is larger than Telegram takes");
        }
        boolean forbidden =
                response.status() / 100 == 4 && description(response).contains("send documents");
        return forbidden ? vendorResponses.refusedFile(code, "let the bot send files in the chat") : judge(response);
    }

    private static String description(Response response) {
        return String.valueOf(response.text("/description")).toLowerCase(Locale.ROOT);
    }

    private Outcome judge(Response response) {
        String code = response.code("/error_code");
        if (isOk(response)) {
            return new Sent(response.id("/result/message_id"));
        }
        if (response.isGood() || !response.body().path("ok").isBoolean()) {
            return vendorResponses.byStatus(response, code);
        }
        return switch (response.status()) {
            // For a token of another form, Telegram finds no such method.
            case 404 -> vendorResponses.badCredential(code);
            case 429 -> vendorResponses.limited(response.pausing(pause(response)), code);
            case 400, 403 -> refused(response, code);
            default -> vendorResponses.byStatus(response, code);
        };
    }

    private Outcome refused(Response response, String code) {
        String description = description(response);
        return ADVICE.entrySet().stream()
                .filter(known -> description.contains(known.getKey()))
                .findFirst()
                .map(known -> vendorResponses.refused(code, known.getValue()))
                .orElseGet(() -> vendorResponses.refused(code));
    }

    /** The pause {@code retry_after} in seconds; older servers give it only in words. */
    private static OptionalDouble pause(Response response) {
        JsonNode seconds = response.body().at("/parameters/retry_after");
        if (seconds.isNumber()) {
            return OptionalDouble.of(seconds.doubleValue());
        }
        Matcher words = RETRY.matcher(String.valueOf(response.text("/description")));
        return words.find() ? OptionalDouble.of(Double.parseDouble(words.group(1))) : OptionalDouble.empty();
    }

    private static boolean isOk(Response response) {
        return response.isGood() && response.body().path("ok").booleanValue();
    }

    /** The text at {@code pointer} of a response with {@code status}; null if there is none. */
    private static @Nullable String said(HttpResult httpResult, int status, String pointer) {
        return httpResult instanceof Response response && response.status() == status ? response.text(pointer) : null;
    }
}
