package dev.postern.requests;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.postern.model.HookRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The payload of a request, as it came.
 *
 * @param hook the path below the hook prefix
 * @param headers by lower-case name, without those that carry a credential; none of a request for a fixed hook
 * @param query the first value of each parameter
 * @param bySignature true if the signature alone authenticated the request
 * @param body the bytes of the body
 */
@SuppressWarnings("ArrayRecordComponent") // the bytes are handed on, never compared
public record KeptPayload(
        String hook, Map<String, String> headers, Map<String, String> query, boolean bySignature, byte[] body) {

    private static final ObjectMapper JSON = new ObjectMapper();

    public KeptPayload {
        headers = Map.copyOf(headers);
        query = Map.copyOf(query);
    }

    static KeptPayload of(HookRequest request) {
        return new KeptPayload(
                request.hook(), request.headers(), request.query(), request.bySignature(), request.body());
    }

    /**
     * The request as its hook gets it again, without an origin.
     *
     * @param idempotencyKey null if the payload or its mapping names the key
     */
    HookRequest request(@Nullable String idempotencyKey, Instant receivedAt) {
        return new HookRequest(hook, body, headers, query, null, bySignature, idempotencyKey, receivedAt);
    }

    /** The payload as bytes: the length of a JSON object with everything but the body, that object, and the body. */
    byte[] bytes() {
        try {
            byte[] head = JSON.writeValueAsBytes(new Head(hook, headers, query, bySignature));
            return ByteBuffer.allocate(Integer.BYTES + head.length + body.length)
                    .putInt(head.length)
                    .put(head)
                    .put(body)
                    .array();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
    }

    /** The payload that {@link #bytes} has written. */
    static KeptPayload read(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        byte[] head = new byte[buffer.getInt()];
        buffer.get(head);
        byte[] body = new byte[buffer.remaining()];
        buffer.get(body);
        try {
            Head read = JSON.readValue(head, Head.class);
            return new KeptPayload(read.hook(), read.headers(), read.query(), read.bySignature(), body);
        } catch (IOException e) {
            throw new UncheckedIOException("the payload was written by another version", e);
        }
    }

    private record Head(
            @JsonProperty("hook") String hook,
            @JsonProperty("headers") Map<String, String> headers,
            @JsonProperty("query") Map<String, String> query,
            @JsonProperty("bySignature") boolean bySignature) {}
}
