package dev.postern.channel.vendor;

import dev.postern.channel.Channel.Outcome.Sent;
import dev.postern.channel.Channel.Outcome.Unsure;
import dev.postern.channel.text.MarkupLanguage;
import dev.postern.channel.vendor.HttpResult.Response;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;

/**
 * A channel to iMessage over the operator's BlueBubbles server, which sends the text with Messages on a Mac. The password
 * is part of the URL, which is therefore never shown.
 *
 * @see <a href="https://github.com/BlueBubblesApp/bluebubbles-server">bluebubbles-server</a>, messageRouter.ts and
 *     messageValidator.ts
 */
final class IMessageChannel extends ApiChannel {

    /** The server responds when Messages has stored the text in its database, for which it waits up to 2 minutes. */
    static final Duration TIMEOUT = Duration.ofSeconds(150);

    private static final RecipientForm RECIPIENT = new RecipientForm(
            "\\+[1-9][0-9]{6,14}|[^\\s;@]{1,64}@[^\\s;@]{1,255}|(?<chat>[A-Za-z]{1,20};[-+];[^\\s;]{1,320})",
            "to is no recipient of iMessage: write a number such as +4915112345678, an e-mail address, or a chat's"
                    + " guid such as iMessage;+;chat1234567890");

    /** The server's error types after which Messages may already have begun to send. */
    private static final Set<String> OF_MESSAGES = Set.of("iMessage Error", "Gateway Timeout");
    /** The error number in Messages' database for a recipient that is not registered. */
    private static final String NOT_REGISTERED = "22";

    private final String password;

    IMessageChannel(ChannelEntry entry, VendorHttpClient http) {
        super(entry, http, entry.service("BlueBubbles", "password", "password"), MarkupLanguage.PLAIN, RECIPIENT);
        this.password = "?password=" + VendorHttpClient.encoded(entry.requiredSecret("password"));
    }

    @Override
    Outcome send(Message message, Matcher recipient) {
        var body = VendorHttpClient.object()
                .put("chatGuid", (recipient.group("chat") == null ? "iMessage;-;" : "") + recipient.group())
                .put("tempGuid", message.id())
                .put("message", message.text());
        return vendorResponses.outcome(
                http.post(entry.at("/api/v1/message/text" + password), Map.of(), body), this::judge);
    }

    @Override
    public Probe probe() {
        return vendorResponses.probe(http.get(entry.at("/api/v1/server/info" + password), Map.of()), response -> {
            if (response.isGood() && response.body().path("data").isObject()) {
                return new Probe.Good(response.name("/data/detected_imessage"));
            }
            return vendorResponses.bad(judge(response));
        });
    }

    private Outcome judge(Response response) {
        String guid = response.id("/data/guid");
        if (response.isGood() && guid != null) {
            return new Sent(guid);
        }
        String said = Objects.requireNonNullElse(response.text("/error/message"), "");
        if (response.status() == 400 && said.startsWith("Message is already queued")) {
            return vendorResponses.refused(
                    "status 400", "an earlier attempt at it is still under way; see in Messages what became of it");
        }
        return OF_MESSAGES.contains(Objects.requireNonNullElse(response.text("/error/type"), ""))
                ? failed(response, said)
                : vendorResponses.byStatus(response, "status " + response.status());
    }

    /** The outcome if Messages failed, or did not finish in time. */
    private Outcome failed(Response response, String said) {
        String code = response.code("/data/error");
        if (code.equals(NOT_REGISTERED)) {
            return vendorResponses.refused(code, "the recipient is not registered with iMessage");
        }
        return said.startsWith("Invalid GUID!")
                ? vendorResponses.refused(code, "Messages knows no such chat")
                : new Unsure("BlueBubbles can't tell whether Messages has sent the message (" + code + ")");
    }
}
