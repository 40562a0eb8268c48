package dev.postern.channel.vendor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.channel.Channel.Outcome.Refused;
import dev.postern.channel.Channel.Outcome.Sent;
import dev.postern.channel.FileChannel;
import dev.postern.channel.text.CodeFile;
import dev.postern.channel.text.MarkupLanguage;
import dev.postern.channel.vendor.HttpResult.Response;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A channel to Slack over the Web API's {@code chat.postMessage}. A status of 200 doesn't mean that a message was accepted;
 * the body says whether it was. Links are not unfurled, so that reading a reply does not fetch addresses from untrusted
 * content.
 *
 * @see <a href="https://docs.slack.dev/reference/methods/chat.postMessage">chat.postMessage</a>
 */
final class SlackChannel extends ApiChannel implements FileChannel {

    /**
     * The id of a channel, group, conversation or user, or the name of a channel, where a message's {@code ts} may follow; or
     * a user's id behind an at sign.
     */
    private static final RecipientForm RECIPIENT = new RecipientForm(
            "(?<channel>#?[^\\s@#<>/]{1,80})(?:/(?<thread>[0-9]{1,12}\\.[0-9]{6}))?|@(?<user>[UW][A-Z0-9]+)",
            "to is no recipient on Slack: write a channel's id such as C0123456789, its name such as #ops,"
                    + " a thread in it such as C0123456789/1700000000.000100, or a user's id such as U0123456789");

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
    private static final Set<String> OF_THE_MOMENT =
            Set.of("request_timeout", "service_unavailable", "team_added_to_org", "org_login_required");

    /** Codes of a failure before which, as Slack says, the message may have been posted. */
    private static final Set<String> PERHAPS_POSTED = Set.of("fatal_error", "internal_error");

    private static final Map<String, String> ADVICE = Map.of(
            "channel_not_found", "write the id of a channel that the bot can see",
            "not_in_channel", "invite the bot to the channel",
            "thread_not_found", "the message that began the thread is gone",
            "cannot_reply_to_message", "choose another thread",
            "is_archived", "choose another channel");

    private static final Map<String, String> FILE_ADVICE = Map.of(
            "missing_scope", "give the app the scope files:write",
            "file_uploads_disabled", "the workspace takes no files",
            "file_uploads_except_images_disabled", "the workspace takes only images",
            "file_type_not_allowed", "the workspace takes no such files",
            "file_upload_size_restricted", "it is larger than the workspace takes",
            "storage_limit_reached", "the workspace has no space left for files",
            "invalid_channel", "write the id of a channel that the bot can see",
            "posting_to_channel_denied", "invite the bot to the channel");

    /** The ids of channels, groups and conversations, by which alone files can be shared. */
    private static final Pattern SHARABLE = Pattern.compile("[CGDZ][A-Z0-9]{8,}");

    private final Map<String, String> headers;

    SlackChannel(ChannelEntry entry, VendorHttpClient http) {
        super(entry, http, entry.service("Slack", "token", "botToken"), MarkupLanguage.SLACK, RECIPIENT);
        this.headers = Map.of("Authorization", "Bearer " + entry.requiredSecret("botToken"));
    }

    @Override
    Outcome send(Message message, Matcher recipient) {
        var body = VendorHttpClient.object()
                .put("channel", channel(recipient))
                .put("text", message.text())
                .put("unfurl_links", false)
                .put("unfurl_media", false);
        if (recipient.group("thread") != null) {
            body.put("thread_ts", recipient.group("thread")).put("reply_broadcast", false);
        }
        return vendorResponses.outcome(http.post(entry.at("/chat.postMessage"), headers, body), this::judge);
    }

    private static String channel(Matcher recipient) {
        String user = recipient.group("user");
        return user == null ? recipient.group("channel") : user;
    }

    @Override
    public Outcome sendFile(Message message, CodeFile file) {
        return toRecipient(message, recipient -> share(file, recipient));
    }

    /** Gets an address for the file, uploads it there, which nobody sees, and shares it in the channel. */
    private Outcome share(CodeFile file, Matcher recipient) {
        if (!SHARABLE.matcher(channel(recipient)).matches()) {
            return new Refused("Slack shares a file only in a channel that to gives by its id, such as C0123456789");
        }
        byte[] content = file.bytes();
        Map<String, String> fields = Map.of("filename", file.name(), "length", String.valueOf(content.length));
        HttpResult place = http.post(entry.at("/files.getUploadURLExternal"), headers, HttpBody.form(fields));
        String address = place instanceof Response response ? response.text("/upload_url") : null;
        String id = place instanceof Response response && isOk(response) ? response.id("/file_id") : null;
        if (id == null || address == null) {
            return vendorResponses.preparation(place, this::judgeStep);
        }
        if (!isUploadAddress(address)) {
            return vendorResponses.refusedFile("upload_url", "it gave an address for it that is not its own");
        }
        HttpResult upload = http.post(address, Map.of(), HttpBody.of(HttpBody.TEXT, content));
        if (!(upload instanceof Response uploaded) || !uploaded.isGood()) {
            return vendorResponses.preparation(
                    upload, response -> vendorResponses.byStatus(response, response.statusCode()));
        }
        return vendorResponses.outcome(
                http.post(entry.at("/files.completeUploadExternal"), headers, share(recipient, file, id)),
                this::judgeFile);
    }

    private static ObjectNode share(Matcher recipient, CodeFile file, String id) {
        ObjectNode body = VendorHttpClient.object().put("channel_id", channel(recipient));
        body.putArray("files").addObject().put("id", id).put("title", file.name());
        if (recipient.group("thread") != null) {
            body.put("thread_ts", recipient.group("thread"));
        }
        return body;
    }

    /** Whether code may be uploaded to {@code address}: to a host of Slack's, or to the one that is configured. */
    private boolean isUploadAddress(String address) {
        try {
            URI there = new URI(address);
            String host = String.valueOf(there.getHost()).toLowerCase(Locale.ROOT);
            boolean slacks = "https".equalsIgnoreCase(there.getScheme())
                    && there.getPort() == -1
                    && (host.equals("slack.com") || host.endsWith(".slack.com"));
            return (slacks && there.getRawUserInfo() == null) || entry.isAtBaseUrl(there);
        } catch (URISyntaxException e) {
            return false;
        }
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

    /** The outcome of a step that is no success; an answer that doesn't tell is worth another attempt. */
    private Outcome judgeStep(Response response) {
        Outcome outcome = judgeFile(response);
        boolean clear = outcome instanceof Refused || outcome instanceof Outcome.Later;
        return clear ? outcome : vendorResponses.failing(response, response.statusCode());
    }

    private Outcome judgeFile(Response response) {
        String code = response.code("/error");
        String advice = response.isGood() && !isOk(response) ? FILE_ADVICE.get(code) : null;
        if (advice != null) {
            return vendorResponses.refusedFile(code, advice);
        }
        Outcome outcome = judge(response);
        return outcome instanceof Sent ? new Sent(response.id("/files/0/id")) : outcome;
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
        if (PERHAPS_POSTED.contains(code)) {
            return vendorResponses.unclear(code);
        }
        return OF_THE_MOMENT.contains(code)
                ? vendorResponses.failing(response, code)
                : vendorResponses.refused(code, ADVICE.getOrDefault(code, "look the code up at docs.slack.dev"));
    }

    private static boolean isOk(Response response) {
        return response.isGood() && response.body().path("ok").booleanValue();
    }
}
