package dev.postern.mail.message;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The JSON payload of one mail; empty fields are left out. */
final class MailPayload {

    private static final JsonFactory JSON = new JsonFactory();
    private static final int MAX_LABELS = 100;
    private static final int MAX_LABEL_CHARS = 200;
    private static final int SNIPPET_CHARS = 200;

    private MailPayload() {}

    /** @param includeBody whether the text is included in addition to its snippet */
    static byte[] of(
            String account,
            String id,
            String threadId,
            MailHeaders headers,
            List<String> labels,
            MailContent content,
            boolean includeBody) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            json.writeStartObject();
            json.writeStringField("source", "gmail");
            json.writeStringField("account", account);
            json.writeArrayFieldStart("messages");
            json.writeStartObject();
            write(json, "id", id);
            write(json, "threadId", threadId);
            write(json, "from", headers.from());
            write(json, "to", headers.to());
            write(json, "cc", headers.cc());
            write(json, "subject", headers.subject());
            write(json, "date", headers.date());
            write(json, "snippet", SingleLineText.line(content.text(), SNIPPET_CHARS));
            if (includeBody) {
                write(json, "body", content.text());
                if (content.cut()) {
                    json.writeBooleanField("bodyTruncated", true);
                    json.writeNumberField("bodyCutAfterBytes", content.text().getBytes(StandardCharsets.UTF_8).length);
                }
            }
            json.writeArrayFieldStart("labels");
            for (String label : labels.subList(0, Math.min(labels.size(), MAX_LABELS))) {
                json.writeString(SingleLineText.line(label, MAX_LABEL_CHARS));
            }
            json.writeEndArray();
            json.writeArrayFieldStart("attachments");
            for (Attachment attachment : content.attachments()) {
                write(json, attachment);
            }
            json.writeEndArray();
            json.writeEndObject();
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("bytes in memory can be written", e);
        }
        return bytes.toByteArray();
    }

    private static void write(JsonGenerator json, Attachment attachment) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", attachment.name());
        json.writeStringField("type", attachment.type());
        if (attachment.size() >= 0) {
            json.writeNumberField("size", attachment.size());
        }
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, String name, String value) throws IOException {
        if (!value.isEmpty()) {
            json.writeStringField(name, value);
        }
    }
}
