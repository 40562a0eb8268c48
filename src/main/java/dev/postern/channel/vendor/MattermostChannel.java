package dev.postern.channel.vendor;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.postern.channel.Channel.Outcome.Sent;
import dev.postern.channel.FileChannel;
import dev.postern.channel.text.CodeFile;
import dev.postern.channel.text.MarkupLanguage;
import dev.postern.channel.vendor.HttpResult.Response;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A channel to Mattermost over its API's {@code POST /api/v4/posts}. For half a minute the server detects a duplicate by
 * its {@code pending_post_id}, and returns the existing post. A post with attachments, even none of them, gets no preview of
 * its first link (server/channels/app/post_metadata.go), which the server itself would fetch from an address in untrusted
 * content.
 *
 * @see <a href="https://developers.mattermost.com/api-documentation/">the API</a>
 */
final class MattermostChannel extends ApiChannel implements FileChannel {

    private static final RecipientForm RECIPIENT = new RecipientForm(
            "(?<channel>[a-z0-9]{26})(?:/(?<root>[a-z0-9]{26}))?",
            "to is no recipient on Mattermost: write a channel's id,"
                    + " 26 lower-case letters and digits (see the channel's menu, View Info), and for a thread"
                    + " a slash and the id of its first post");

    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,10}");
    /** A number of seconds from here on is a time since 1970, as some servers write it. */
    private static final double FIRST_MOMENT = 1e9;

    private final Map<String, String> headers;

    MattermostChannel(ChannelEntry entry, VendorHttpClient http) {
        super(entry, http, entry.service("Mattermost", "token", "botToken"), MarkupLanguage.MATTERMOST, RECIPIENT);
        this.headers = Map.of("Authorization", "Bearer " + entry.requiredSecret("botToken"));
    }

    @Override
    Outcome send(Message message, Matcher recipient) {
        ObjectNode body = body(message, recipient, message.text());
        body.putObject("props").putArray("attachments");
        return post(body);
    }

    @Override
    public Outcome sendFile(Message message, CodeFile file) {
        return toRecipient(message, recipient -> post(message, file, recipient));
    }

    /** Uploads the file, which nobody sees, and posts it. */
    private Outcome post(Message message, CodeFile file, Matcher recipient) {
        HttpBody form = new MultipartForm(file)
                .with("channel_id", TextNode.valueOf(recipient.group("channel")))
                .body("files");
        HttpResult upload = http.post(entry.at("/api/v4/files"), headers, form);
        String id = upload instanceof Response response && response.status() == 201
                ? response.id("/file_infos/0/id")
                : null;
        if (id == null) {
            return vendorResponses.preparation(upload, this::judgeUpload);
        }
        ObjectNode body = body(message, recipient, "");
        body.putArray("file_ids").add(id);
        return post(body);
    }

    private static ObjectNode body(Message message, Matcher recipient, String text) {
        ObjectNode body = VendorHttpClient.object()
                .put("channel_id", recipient.group("channel"))
                .put("message", text)
                .put("pending_post_id", message.id());
        if (recipient.group("root") != null) {
            body.put("root_id", recipient.group("root"));
        }
        return body;
    }

    private Outcome post(ObjectNode body) {
        return vendorResponses.outcome(http.post(entry.at("/api/v4/posts"), headers, body), this::judge);
    }

    @Override
    public Probe probe() {
        return vendorResponses.probe(http.get(entry.at("/api/v4/users/me"), headers), response -> {
            String id = response.isGood() ? response.id("/id") : null;
            return id == null ? vendorResponses.bad(judge(response)) : new Probe.Good(response.name("/username"));
        });
    }

    private Outcome judge(Response response) {
        if (response.status() == 201) {
            return new Sent(response.id("/id"));
        }
        String code = response.isGood() ? "status " + response.status() : response.code("/id");
        return switch (response.status()) {
            case 400 ->
                code.contains(".root_id.")
                        ? vendorResponses.refused(code, "the post that began the thread is gone")
                        : vendorResponses.byStatus(response, code);
            case 403 -> vendorResponses.refused(code, "let the bot into the channel");
            case 429 -> vendorResponses.limited(response.pausingForLimit(reset(response)), code);
            default -> vendorResponses.byStatus(response, code);
        };
    }

    private Outcome judgeUpload(Response response) {
        if (response.isGood()) {
            return vendorResponses.failing(response, response.statusCode());
        }
        String code = response.code("/id");
        if (code.contains(".attachments.disabled.")) {
            return vendorResponses.refusedFile(code, "the server takes no files");
        }
        return switch (response.status()) {
            case 403 -> vendorResponses.refusedFile(code, "give the bot the permission upload_file in the channel");
            case 413 -> vendorResponses.refusedFile(code, "it is larger than the server takes");
            default -> judge(response);
        };
    }

    /** Seconds from now until the limit is reset, for a server that sends no {@code Retry-After}. */
    private OptionalDouble reset(Response response) {
        String reset =
                response.headers().firstValue("X-RateLimit-Reset").orElse("").strip();
        if (!SECONDS.matcher(reset).matches()) {
            return OptionalDouble.empty();
        }
        double seconds = Double.parseDouble(reset);
        double now = (double) http.clock().instant().getEpochSecond();
        return OptionalDouble.of(seconds < FIRST_MOMENT ? seconds : seconds - now);
    }
}
