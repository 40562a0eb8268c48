package dev.postern.channel.vendor;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.channel.Channel;
import dev.postern.channel.Channel.Outcome.Refused;
import dev.postern.channel.Channel.Outcome.Sent;
import dev.postern.channel.text.MarkupLanguage;
import dev.postern.channel.text.MessageParts;
import dev.postern.channel.vendor.HttpResult.Response;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A channel to Slack over the Web API's {@code chat.postMessage}. A status of 200 doesn't mean that a message was accepted;
 * the body says whether it was. Links are not unfurled, so that reading a reply does not fetch addresses from untrusted
 * content.
 *
 * @see <a href="https://docs.slack.dev/reference/methods/chat.postMessage">chat.postMessage</a>
 */
final class SlackChannel implements Channel {

    /**
     * The id of a channel, group, conversation or user, or the name of a channel, where a message's {@code ts} may follow; or
     * a user's id behind an at sign.
     */
    private static final Pattern RECIPIENT = Pattern.compile(
            "(?<channel>#?[^\\s@#<>/]{1,80})(?:/(?<thread>[0-9]{1,12}\\.[0-9]{6}))?|@(?<user>[UW][A-Z0-9]+)");

    private static final String NO_RECIPIENT =
            "to is no recipient on Slack: write a channel's id such as C0123456789, its name such as #ops,"
                    + " a thread in it such as C0123456789/1700000000.000100, or a user's id such as U0123456789";

    private static final Set<String> OF_THE_TOKEN = Set.of(
            "not_authed",
            "invalid_auth",
            "account_inactive",
            "token_revoked",
            "token_expired",
            "missing_scope",
            "no_permission",
            "not_allowed_token_type",
            "access_denied",
            "accesslimited",
            "two_factor_setup_required",
            "app_access_restricted",
            "enterprise_is_restricted");
    private static final Set<String> OF_A_LIMIT = Set.of("ratelimited", "rate_limited", "message_limit_exceeded");
    private static final Set<String> OF_THE_MOMENT = Set.of(
            "fatal_error",
            "internal_error",
            "request_timeout",
            "service_unavailable",
            "team_added_to_org",
            "org_login_required");
    private static final Map<String, String> ADVICE = Map.of(
            "channel_not_found", "write the id of a channel that the bot can see",
            "not_in_channel", "invite the bot to the channel",
            "thread_not_found", "the message that began the thread is gone",
            "cannot_reply_to_message", "choose another thread",
            "is_archived", "choose another channel");

    private final ChannelEntry entry;
    private final VendorHttpClient http;
    private final VendorResponses vendorResponses;
    private final Map<String, String> headers;

    SlackChannel(ChannelEntry entry, VendorHttpClient http) {
        this.entry = entry;
        this.http = http;
        this.vendorResponses = entry.service("Slack", "token", "botToken");
        this.headers = Map.of("Authorization", "Bearer " + entry.requiredSecret("botToken"));
    }

    @Override
    public List<String> parts(String reply) {
        return MessageParts.of(reply, MarkupLanguage.SLACK, entry.textLimit());
    }

    @Override
    public @Nullable String refusal(@Nullable String to) {
        return to != null && RECIPIENT.matcher(to).matches() ? null : NO_RECIPIENT;
    }

    @Override
    public Outcome send(Message message) {
        Matcher recipient = RECIPIENT.matcher(String.valueOf(message.to()));
        if (message.to() == null || !recipient.matches()) {
            return new Refused(NO_RECIPIENT);
        }
        String user = recipient.group("user");
        var body = VendorHttpClient.object()
                .put("channel", user == null ? recipient.group("channel") : user)
                .put("text", message.text())
                .put("unfurl_links", false)
                .put("unfurl_media", false);
        if (recipient.group("thread") != null) {
            body.put("thread_ts", recipient.group("thread")).put("reply_broadcast", false);
        }
        return vendorResponses.outcome(http.post(entry.at("/chat.postMessage"), headers, body), this::judge);
    }

    @Override
    public Probe probe() {
        return vendorResponses.probe(
                http.post(entry.at("/auth.test"), headers, VendorHttpClient.object()), response -> {
                    if (isOk(response)) {
                        return new Probe.Good(response.name("/user"));
                    }
                    return vendorResponses.bad(judge(response));
                });
    }

    private Outcome judge(Response response) {
        String code = response.code("/error");
        JsonNode ok = response.body().path("ok");
        if (!response.isGood() || !ok.isBoolean()) {
            return vendorResponses.byStatus(response, code);
        }
        if (ok.booleanValue()) {
            return new Sent(response.id("/ts"));
        }
        if (OF_THE_TOKEN.contains(code)) {
            return vendorResponses.badCredential(code);
        }
        if (OF_A_LIMIT.contains(code)) {
            return vendorResponses.limited(response, code);
        }
        return OF_THE_MOMENT.contains(code)
                ? vendorResponses.failing(response, code)
                : vendorResponses.refused(code, ADVICE.getOrDefault(code, "look the code up at docs.slack.dev"));
    }

    private static boolean isOk(Response response) {
        return response.isGood() && response.body().path("ok").booleanValue();
    }
}
