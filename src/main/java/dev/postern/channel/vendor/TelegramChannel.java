package dev.postern.channel.vendor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.channel.Channel;
import dev.postern.channel.Channel.Outcome.Refused;
import dev.postern.channel.Channel.Outcome.Sent;
import dev.postern.channel.text.MarkupLanguage;
import dev.postern.channel.text.MessageParts;
import dev.postern.channel.vendor.HttpResult.Response;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
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
final class TelegramChannel implements Channel {

    private static final String NO_RECIPIENT =
            "to is no recipient on Telegram: write a chat's number such as 123456789 or -1001234567890,"
                    + " or a public name such as @ops; for a topic /42 behind it, to answer a message #1337";
    /** A chat, with the number of a topic and that of the message to answer where they are given. */
    private static final Pattern RECIPIENT = Pattern.compile("(?<chat>-?[1-9][0-9]{0,15}|@[A-Za-z][A-Za-z0-9_]{2,31})"
            + "(?:/(?<topic>[1-9][0-9]{0,9}))?(?:#(?<message>[1-9][0-9]{0,9}))?");

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

    private final ChannelEntry entry;
    private final VendorHttpClient http;
    private final VendorResponses vendorResponses;
    private final String address;

    TelegramChannel(ChannelEntry entry, VendorHttpClient http) {
        this.entry = entry;
        this.http = http;
        this.vendorResponses = entry.service("Telegram", "token", "botToken");
        this.address = entry.at("/bot"
                + VendorHttpClient.encoded(entry.requiredSecret("botToken")).replace("%3A", ":"));
    }

    @Override
    public List<String> parts(String reply) {
        return MessageParts.of(reply, MarkupLanguage.TELEGRAM, entry.textLimit());
    }

    @Override
    public @Nullable String refusal(@Nullable String to) {
        return to != null && RECIPIENT.matcher(to).matches() ? null : NO_RECIPIENT;
    }

    @Override
    public Outcome send(Message message) {
        Matcher recipient = RECIPIENT.matcher(String.valueOf(message.to()));
        if (!recipient.matches()) {
            return new Refused(NO_RECIPIENT);
        }
        HttpResult httpResult = post(recipient, message.text());
        Matcher moved = RECIPIENT.matcher(String.valueOf(said(httpResult, 400, "/parameters/migrate_to_chat_id")));
        return vendorResponses.outcome(moved.matches() ? post(moved, message.text()) : httpResult, this::judge);
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

    private static ObjectNode body(Matcher recipient, String text) {
        ObjectNode body = VendorHttpClient.object();
        String chat = recipient.group("chat");
        if (chat.startsWith("@")) {
            body.put("chat_id", chat);
        } else {
            body.put("chat_id", Long.parseLong(chat));
        }
        if (recipient.group("topic") != null) {
            body.put("message_thread_id", Long.parseLong(recipient.group("topic")));
        }
        if (recipient.group("message") != null) {
            body.putObject("reply_parameters")
                    .put("message_id", Long.parseLong(recipient.group("message")))
                    .put("allow_sending_without_reply", true);
        }
        body.put("text", text).putObject("link_preview_options").put("is_disabled", true);
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
        String description = String.valueOf(response.text("/description")).toLowerCase(Locale.ROOT);
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
