package dev.postern.mail.message;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Predicate;

/** The JSON payload of one mail; empty fields are left out. */
final class MailPayload {

    private static final JsonFactory JSON = new JsonFactory();
    private static final int MAX_LABELS = 100;
    private static final int MAX_LABEL_CHARS = 200;
    private static final int SNIPPET_CHARS = 200;
    private static final int REPLY_SUBJECT_CHARS = 300;

    private MailPayload() {}

    /**
     * Writes the payload.
     *
     * @param includeBody whether the text is included in addition to its snippet
     * @param answers whether there is a channel that takes answers to a recipient
     */
    static byte[] of(
            String account,
            String id,
            String threadId,
            MailHeaders headers,
            List<String> labels,
            MailContent content,
            boolean includeBody,
            Predicate<String> answers) {
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
            write(json, headers.reply(), SingleLineText.line(headers.subject(), REPLY_SUBJECT_CHARS), answers);
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

    private static void write(JsonGenerator json, ReplyHeaders reply, String subject, Predicate<String> answers)
            throws IOException {
        json.writeObjectFieldStart("reply");
        write(json, "author", reply.author());
        write(json, "address", reply.address());
        write(json, "references", String.join("", reply.references()));
        json.writeBooleanField("answerable", reply.answerable());
        String recipient = reply.recipient(subject);
        if (reply.answerable() && answers.test(recipient)) {
            write(json, "to", recipient);
        }
        write(json, "mark", reply.mark());
        json.writeEndObject();
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
