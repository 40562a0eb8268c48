package dev.postern.channel.vendor;

import dev.postern.channel.Channel.Outcome.Sent;
import dev.postern.channel.text.MarkupLanguage;
import dev.postern.channel.vendor.HttpResult.Response;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A channel to WhatsApp over Meta's Cloud API. The error code decides the outcome, because the status that comes with it
 * varies. Text can be sent to a person for 24 hours after the person's last message; no template is sent after that.
 *
 * @see <a href="https://developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes">error codes</a>
 */
final class WhatsAppChannel extends ApiChannel {

    /** A person's number, or a group's id, which has a letter. */
    private static final RecipientForm RECIPIENT = new RecipientForm(
            "(?<number>\\+?[1-9][0-9]{6,14})|(?=.*[A-Za-z])[A-Za-z0-9_=-]{16,128}",
            "to is no recipient on WhatsApp: write a number with its country's code such as +4915112345678,"
                    + " or a group's id");

    private static final Pattern OF_THE_TOKEN = Pattern.compile("0|3|10|190|2[0-9]{2}|131005");
    private static final Set<String> OF_A_LIMIT = Set.of("4", "80007", "130429", "131056");
    private static final Set<String> OF_THE_MOMENT = Set.of("1", "2", "131000", "131016", "133004");
    private static final Set<String> OF_THE_ACCOUNT = Set.of("368", "131031", "131042", "131048");
    private static final Pattern OF_THE_MESSAGE =
            Pattern.compile("100|131008|131009|131021|131026|131030|131047|131049|131051|132[0-9]{3}|133010");
    private static final Map<String, String> ADVICE = Map.of(
            "100", "check the recipient, and that phoneNumberId is the id of the number and not the number",
            "131021", "the recipient is the number that sends",
            "131026", "the recipient can't be reached on WhatsApp",
            "131030", "add the recipient to those that a test number may write to",
            "131047", "the recipient has to write first, since 24 hours have passed after the last message",
            "131049", "not so soon after other messages; another may be taken a day later",
            "133010", "register the number that sends");

    private final Map<String, String> headers;

    WhatsAppChannel(ChannelEntry entry, VendorHttpClient http) {
        super(
                entry,
                http,
                entry.service("WhatsApp", "access token", "accessToken"),
                MarkupLanguage.WHATSAPP,
                RECIPIENT);
        this.headers = Map.of("Authorization", "Bearer " + entry.requiredSecret("accessToken"));
    }

    @Override
    public @Nullable String ownRecipient() {
        return entry.settings().options().get("to");
    }

    @Override
    Outcome send(Message message, Matcher recipient) {
        var body = VendorHttpClient.object()
                .put("messaging_product", "whatsapp")
                .put("recipient_type", recipient.group("number") == null ? "group" : "individual")
                .put("to", recipient.group())
                .put("type", "text");
        body.putObject("text").put("body", message.text()).put("preview_url", false);
        return vendorResponses.outcome(http.post(number() + "/messages", headers, body), this::judge);
    }

    @Override
    public Probe probe() {
        return vendorResponses.probe(http.get(number(), headers), response -> {
            if (response.isGood() && response.text("/id") != null) {
                return new Probe.Good(response.name("/display_phone_number"));
            }
            return response.code("/error/code").equals("100")
                    ? new Probe.Bad("WhatsApp shows the token no such number (100): set "
                            + entry.setting("phoneNumberId") + ", or let the token use it")
                    : vendorResponses.bad(judge(response));
        });
    }

    /** The URL of the sending number. */
    private String number() {
        return entry.at("/" + VendorHttpClient.encoded(entry.option("phoneNumberId")));
    }

    private Outcome judge(Response response) {
        String id = response.id("/messages/0/id");
        if (response.isGood() && id != null) {
            return new Sent(id);
        }
        String code = response.code("/error/code");
        if (OF_THE_TOKEN.matcher(code).matches()) {
            return vendorResponses.badCredential(code);
        }
        if (OF_THE_ACCOUNT.contains(code)) {
            return vendorResponses.held(code);
        }
        if (OF_A_LIMIT.contains(code)) {
            return vendorResponses.limited(response, code);
        }
        if (OF_THE_MESSAGE.matcher(code).matches()) {
            return vendorResponses.refused(
                    code, ADVICE.getOrDefault(code, "look the code up at developers.facebook.com"));
        }
        boolean passes = response.body().at("/error/is_transient").asBoolean(false);
        return passes || OF_THE_MOMENT.contains(code)
                ? vendorResponses.failing(response, code)
                : vendorResponses.byStatus(response, code);
    }
}
