package dev.postern.channel.vendor;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The body of a request to a service.
 *
 * @param type its media type
 */
record HttpBody(String type, BodyPublisher content) {

    /** The media type of a file with code. */
    static final String TEXT = "text/plain; charset=utf-8";

    /** A body of {@code bytes} of the media type {@code type}. */
    static HttpBody of(String type, byte[] bytes) {
        return new HttpBody(type, BodyPublishers.ofByteArray(bytes));
    }

    /** A body of the JSON {@code bytes}. */
    static HttpBody json(byte[] bytes) {
        return of("application/json; charset=utf-8", bytes);
    }

    /** A body of JSON. */
    static HttpBody json(ObjectNode object) {
        return json(object.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** A body of the fields of a form. */
    static HttpBody form(Map<String, String> fields) {
        String encoded = fields.entrySet().stream()
                .map(field ->
                        VendorHttpClient.encoded(field.getKey()) + "=" + VendorHttpClient.encoded(field.getValue()))
                .collect(Collectors.joining("&"));
        return of("application/x-www-form-urlencoded", encoded.getBytes(StandardCharsets.UTF_8));
    }

    /** The media type alone, because the content may be private. */
    @Override
    public String toString() {
        return "HttpBody[" + type + "]";
    }
}
