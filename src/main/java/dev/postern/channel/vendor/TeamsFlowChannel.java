package dev.postern.channel.vendor;

import dev.postern.channel.Channel;
import dev.postern.channel.Channel.Outcome.Later;
import dev.postern.channel.Channel.Outcome.Refused;
import dev.postern.channel.Channel.Outcome.Sent;
import dev.postern.channel.text.MarkupLanguage;
import dev.postern.channel.text.MessageParts;
import dev.postern.channel.vendor.HttpResult.Response;
import dev.postern.channel.vendor.HttpResult.Unsendable;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A channel to Microsoft Teams, by a flow of Workflows that posts each message as an Adaptive Card. The flow alone decides
 * the conversation, so {@code to} is ignored. A success means only that the flow has started. Anyone who has the flow's
 * address can post there, so the address is a secret.
 *
 * @see <a href="https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook">webhooks</a>
 */
final class TeamsFlowChannel implements Channel {

    /** Limit of a request; the documented limit is 28 KB, but requests of little more than this were seen to fail. */
    private static final int MOST_BYTES = 21_000;

    /** The error text of connectors, the predecessors of flows, which they send with a status of 200. */
    private static final Pattern FAILED =
            Pattern.compile("(?s)Webhook message delivery failed with error:.*HTTP error ([0-9]{3})\\b.*");

    private final ChannelEntry entry;
    private final VendorHttpClient http;
    private final VendorResponses vendorResponses;

    TeamsFlowChannel(ChannelEntry entry, VendorHttpClient http) {
        this.entry = entry;
        this.http = http;
        String setting = entry.setting("webhookUrl");
        this.vendorResponses = new VendorResponses("Teams", "webhook's address", setting, setting);
    }

    /** Splits until each part's request is within the limit in bytes too. */
    @Override
    public List<String> parts(String reply) {
        int limit = entry.textLimit();
        List<String> parts = MessageParts.of(reply, MarkupLanguage.CARD, limit);
        while (parts.stream().anyMatch(part -> request(part).length > MOST_BYTES)) {
            limit = Math.min(limit / 2, MOST_BYTES);
            parts = MessageParts.of(reply, MarkupLanguage.CARD, limit);
        }
        return parts;
    }

    @Override
    public @Nullable String refusal(@Nullable String to) {
        return null;
    }

    @Override
    public Outcome send(Message message) {
        HttpResult httpResult = http.post(entry.requiredSecret("webhookUrl"), Map.of(), request(message.text()));
        return httpResult instanceof Unsendable
                ? new Refused(entry.setting("webhookUrl") + " is no address: copy it from the flow")
                : vendorResponses.outcome(httpResult, this::judge);
    }

    private static byte[] request(String text) {
        var request = VendorHttpClient.object().put("type", "message");
        var content = request.putArray("attachments")
                .addObject()
                .put("contentType", "application/vnd.microsoft.card.adaptive")
                .putObject("content")
                .put("$schema", "http://adaptivecards.io/schemas/adaptive-card.json")
                .put("type", "AdaptiveCard")
                .put("version", "1.2");
        content.putObject("msteams").put("width", "Full");
        content.putArray("body")
                .addObject()
                .put("type", "TextBlock")
                .put("text", text)
                .put("wrap", true);
        return request.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Probe probe() {
        return new Probe.Unasked("A flow can't be asked without a message being posted");
    }

    private Outcome judge(Response response) {
        String code = response.code("/error/code");
        if (response.isGood()) {
            return judgeText(response.body().asText());
        }
        return switch (response.status()) {
            case 401, 403, 404, 410 -> vendorResponses.badCredential(code);
            case 413 -> vendorResponses.refused(code, "make " + entry.setting("textLimit") + " smaller");
            default -> vendorResponses.byStatus(response, code);
        };
    }

    private Outcome judgeText(String said) {
        Matcher failed = FAILED.matcher(said);
        if (!failed.matches()) {
            return new Sent(null);
        }
        String code = "status " + failed.group(1);
        return code.equals("status 429") || failed.group(1).startsWith("5")
                ? new Later(null, "Teams can't take the message now (" + code + ")")
                : vendorResponses.refused(code);
    }
}
