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
 * @param bySignature true where it was admitted by its sender's signature alone, which opens the mappings of its own path
 *     and no others
 * @param idempotencyKey the key that was given beside the payload, as given; null where there was none
 */
@SuppressWarnings("ArrayRecordComponent") // the bytes are handed on, never compared
public record Inbound(
        String hook,
        byte[] body,
        Map<String, String> headers,
        Map<String, String> query,
        boolean bySignature,
        @Nullable String idempotencyKey) {}
