package dev.postern.http;

import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.MessageBodyReader;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.util.List;

/** The headers of a request that mean something to a hook. */
final class HookCall {

    static final String IDEMPOTENCY_KEY = "Idempotency-Key";
    static final String PREFER = "Prefer";

    /** The headers that reach Jersey; it sees no other, and so negotiates nothing and parses nothing of a stranger's. */
    static final List<String> HEADERS = List.of(IDEMPOTENCY_KEY, PREFER);

    private final List<String> idempotencyKeys;
    private final List<String> preferences;

    private HookCall(List<String> idempotencyKeys, List<String> preferences) {
        this.idempotencyKeys = idempotencyKeys;
        this.preferences = preferences;
    }

    /** Every value of the Idempotency-Key header. */
    List<String> idempotencyKeys() {
        return idempotencyKeys;
    }

    /** Every value of the Prefer header (RFC 7240). */
    List<String> preferences() {
        return preferences;
    }

    /** A reader for what the filter has let through, whatever media type the request says; the body is {@link Received#body}. */
    static final class Reader implements MessageBodyReader<HookCall> {

        @Override
        public boolean isReadable(Class<?> type, Type genericType, Annotation[] annotations, MediaType mediaType) {
            return type == HookCall.class;
        }

        @Override
        public HookCall readFrom(
                Class<HookCall> type,
                Type genericType,
                Annotation[] annotations,
                MediaType mediaType,
                MultivaluedMap<String, String> headers,
                InputStream body) {
            return new HookCall(
                    headers.getOrDefault(IDEMPOTENCY_KEY, List.of()), headers.getOrDefault(PREFER, List.of()));
        }
    }
}
