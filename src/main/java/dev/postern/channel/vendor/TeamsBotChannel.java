package dev.postern.channel.vendor;

import dev.postern.channel.Channel.Outcome.Sent;
import dev.postern.channel.text.MarkupLanguage;
import dev.postern.channel.vendor.HttpResult.Response;
import java.util.Map;
import java.util.regex.Matcher;

/**
 * A channel to Microsoft Teams, by a bot that writes to conversations that it is in (Bot Connector). The service's address
 * comes from the configuration, never from a message, because the access token is sent there.
 *
 * @see <a href="https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-api-reference">Bot
 *     Connector API</a>
 */
final class TeamsBotChannel extends ApiChannel {

    /**
     * The id of a team's channel, of a chat, or of a chat with the bot alone. The number of the message that began a thread of
     * a channel follows behind a slash, or as Teams itself writes it.
     */
    private static final RecipientForm CONVERSATION = new RecipientForm(
            "(?<id>19:[^\\s/@]{1,300}@[A-Za-z0-9.]{1,100})(?:(?:;messageid=|/)(?<thread>[0-9]{1,20}))?|a:[^\\s/]{1,300}",
            "to is no conversation in Teams: write the id of one that the bot is in, such as"
                    + " 19:0123abcd@thread.tacv2, 19:0123abcd@thread.tacv2/1700000000000 for a thread in it,"
                    + " or a:0123abcd for a chat with the bot alone");

    private final TeamsTokenCache tokens;

    TeamsBotChannel(ChannelEntry entry, VendorHttpClient http) {
        super(
                entry,
                http,
                new VendorResponses(
                        "Teams",
                        "bot's access token",
                        entry.setting("appId") + ", " + entry.setting("appPassword") + " and "
                                + entry.setting("tenantId"),
                        entry.setting("baseUrl")),
                MarkupLanguage.TEAMS,
                CONVERSATION);
        this.tokens = new TeamsTokenCache(entry, http);
    }

    @Override
    Outcome send(Message message, Matcher recipient) {
        String thread = recipient.group("thread");
        String id = thread == null ? recipient.group() : recipient.group("id") + ";messageid=" + thread;
        return send(id, message.text(), tokens.current(), true);
    }

    /** Sends with {@code token}; if the service refuses it and {@code again} is true, sends once more with a new one. */
    private Outcome send(String conversation, String text, AccessToken token, boolean again) {
        if (!(token instanceof AccessToken.Granted granted)) {
            return ((AccessToken.Denied) token).outcome();
        }
        HttpResult httpResult = post(conversation, text, granted);
        return again && httpResult instanceof Response response && response.status() == 401
                ? send(conversation, text, tokens.renew(), false)
                : vendorResponses.outcome(httpResult, this::judge);
    }

    private HttpResult post(String conversation, String text, AccessToken.Granted token) {
        var body = VendorHttpClient.object()
                .put("type", "message")
                .put("textFormat", "markdown")
                .put("text", text);
        String path = "/v3/conversations/" + VendorHttpClient.encoded(conversation) + "/activities";
        return http.post(
                entry.at(path),
                Map.of("Authorization", "Bearer " + token.value().reveal()),
                body);
    }

    /** Requests an access token, which proves the app's credentials, but not that it is in any conversation. */
    @Override
    public Probe probe() {
        return tokens.renew() instanceof AccessToken.Denied denied
                ? vendorResponses.bad(denied.outcome())
                : new Probe.Good(null);
    }

    private Outcome judge(Response response) {
        String code = response.code("/error/code");
        if (response.isGood()) {
            return response.body().isObject() ? new Sent(response.id("/id")) : vendorResponses.unclear(code);
        }
        return switch (response.status()) {
            case 403 -> vendorResponses.refused(code, "add the bot's app to the conversation");
            case 404 ->
                vendorResponses.refused(
                        code,
                        "write the id of a conversation that the bot is in, and check " + entry.setting("baseUrl"));
            case 412 -> vendorResponses.failing(response, code);
            case 413 -> vendorResponses.refused(code, "make " + entry.setting("textLimit") + " smaller");
            default -> vendorResponses.byStatus(response, code);
        };
    }
}
