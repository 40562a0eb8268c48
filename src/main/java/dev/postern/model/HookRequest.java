package dev.postern.model;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A hook request with its payload, from an authenticated sender or from a mailbox.
 *
 * @param hook the path below the hook prefix, without leading or trailing slash
 * @param body the payload's bytes as received, decompressed: JSON in UTF-8, or a form if the hook takes one; zero bytes
 *     count as an empty object
 * @param headers by lower-case name, without those that carry a credential; several values of one name are joined by commas
 * @param query the first value of each parameter
 * @param signed the content that the sender has signed; null if no signature was required
 * @param bySignature true if the signature alone authenticated the request, which then opens only the mappings of its own
 *     path
 * @param idempotencyKey the key given beside the payload, unchanged; null if there was none
 * @param receivedAt truncated to milliseconds, the precision in which other systems give the time to templates
 * @param origin the origin under which the request log lists the request; null for a trial, which is not listed
 * @param trace the trace context that the sender names; null if it names none
 */
@SuppressWarnings("ArrayRecordComponent") // the bytes are handed on, never compared
public record HookRequest(
        String hook,
        byte[] body,
        Map<String, String> headers,
        Map<String, String> query,
        @Nullable SignedContent signed,
        boolean bySignature,
        @Nullable String idempotencyKey,
        Instant receivedAt,
        @Nullable RequestOrigin origin,
        @Nullable TraceContext trace) {

    public HookRequest {
        receivedAt = receivedAt.truncatedTo(ChronoUnit.MILLIS);
    }

    /** A request that the request log does not list. */
    public HookRequest(
            String hook,
            byte[] body,
            Map<String, String> headers,
            Map<String, String> query,
            @Nullable SignedContent signed,
            boolean bySignature,
            @Nullable String idempotencyKey,
            Instant receivedAt) {
        this(hook, body, headers, query, signed, bySignature, idempotencyKey, receivedAt, null, null);
    }

    /** A request that came with the token and had no headers, query or signature; it may have an idempotency key. */
    public static HookRequest bare(String hook, byte[] body, @Nullable String idempotencyKey, Instant receivedAt) {
        return new HookRequest(hook, body, Map.of(), Map.of(), null, false, idempotencyKey, receivedAt);
    }

    /** The id of the sender whose own token admitted the request; null for any other credential. */
    public @Nullable String sender() {
        return origin == null ? null : origin.sender();
    }

    /** This request with an origin. */
    public HookRequest from(RequestOrigin origin) {
        return new HookRequest(
                hook, body, headers, query, signed, bySignature, idempotencyKey, receivedAt, origin, trace);
    }

    /** This request with a trace context. */
    public HookRequest in(@Nullable TraceContext context) {
        return Objects.equals(context, trace)
                ? this
                : new HookRequest(
                        hook,
                        body,
                        headers,
                        query,
                        signed,
                        bySignature,
                        idempotencyKey,
                        receivedAt,
                        origin,
                        /* trace= */ context);
    }
}
