package dev.postern.ingress;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a door hands over: a payload that it has admitted, and what came with it.
 *
 * @param hook the path below the hook prefix, without leading or trailing slash
 * @param body the payload's bytes as they arrived: JSON in UTF-8; none is an empty object
 * @param headers by lower-case name, without those that carry a credential
 * @param query the first value of each parameter
 * @param signed what its sender has signed; null where no signature was asked for
 * @param idempotencyKey the key that was given beside the payload, as given; null where there was none
 */
@SuppressWarnings("ArrayRecordComponent") // the bytes are handed on, never compared
public record Inbound(
        String hook,
        byte[] body,
        Map<String, String> headers,
        Map<String, String> query,
        @Nullable Signed signed,
        @Nullable String idempotencyKey) {

    /** True where it was admitted by its sender's signature alone. */
    boolean bySignature() {
        return signed != null && signed.alone();
    }
}
