package dev.postern.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Map;

/**
 * A payload that was let in, and what came with it.
 *
 * @param hook the path below the hook prefix, without leading or trailing slash
 * @param payload any JSON value
 * @param headers by lower-case name, without those that carry a credential; several of one name are joined by commas
 * @param query the first value of each parameter
 * @param bySignature true where its sender's signature alone let it in, which opens the mappings of its own path and no
 *     others
 * @param now when it arrived
 */
public record Arrival(
        String hook,
        JsonNode payload,
        Map<String, String> headers,
        Map<String, String> query,
        boolean bySignature,
        Instant now) {

    /** One that came with the token and nothing beside its payload. */
    public static Arrival bare(String hook, JsonNode payload, Instant now) {
        return new Arrival(hook, payload, Map.of(), Map.of(), false, now);
    }
}
