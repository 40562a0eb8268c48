package dev.postern.model;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request of a hook, from a sender that was let in, or from a mailbox.
 *
 * @param hook the path below the hook prefix, without leading or trailing slash
 * @param body the payload's bytes as they arrived: JSON in UTF-8; none is an empty object
 * @param headers by lower-case name, without those that carry a credential; several of one name are joined by commas
 * @param query the first value of each parameter
 * @param signed what its sender has signed; null where no signature was asked for
 * @param bySignature true where nothing but the signature let it in, which opens the mappings of its own path and no others
 * @param idempotencyKey the key that was given beside the payload, as given; null where there was none
 * @param receivedAt to the millisecond, as other systems tell a template the time
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
        Instant receivedAt) {

    public HookRequest {
        receivedAt = receivedAt.truncatedTo(ChronoUnit.MILLIS);
    }

    /** One that came with the token and nothing beside its payload, but perhaps a key. */
    public static HookRequest bare(String hook, byte[] body, @Nullable String idempotencyKey, Instant receivedAt) {
        return new HookRequest(hook, body, Map.of(), Map.of(), null, false, idempotencyKey, receivedAt);
    }
}
