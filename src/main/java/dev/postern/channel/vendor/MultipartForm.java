package dev.postern.channel.vendor;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.channel.text.CodeFile;
import dev.postern.model.Sha256;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * A form with a file, of the type {@code multipart/form-data} (RFC 7578). The boundary is the hash of the file's content, which
 * that can't contain, so that a repeat has the same bytes. The names and values of the other fields must not contain it.
 */
final class MultipartForm {

    private static final int BOUNDARY_BYTES = 20;

    private final CodeFile file;
    private final String boundary;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();

    MultipartForm(CodeFile file) {
        this.file = file;
        this.boundary = Sha256.name(file.code(), BOUNDARY_BYTES);
    }

    /** Adds the field {@code name}, with a text as it is, and another value as JSON. */
    MultipartForm with(String name, JsonNode value) {
        String text = value.isTextual() ? value.textValue() : value.toString();
        write("--" + boundary + "\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + text + "\r\n");
        return this;
    }

    /** The body, whose last field {@code name} is the file. */
    HttpBody body(String name) {
        write("--" + boundary + "\r\nContent-Disposition: form-data; name=\"" + name + "\"; filename=\"" + file.name()
                + "\"\r\nContent-Type: " + HttpBody.TEXT + "\r\n\r\n");
        body.writeBytes(file.bytes());
        write("\r\n--" + boundary + "--\r\n");
        return HttpBody.of("multipart/form-data; boundary=" + boundary, body.toByteArray());
    }

    private void write(String text) {
        body.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }
}
