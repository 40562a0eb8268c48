package dev.postern.agent.chat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.stream.Stream;

/** The token counts in a response, where a provider counts one kind of tokens apart from the others. */
final class TokenCounts {

    private TokenCounts() {}

    /**
     * Adds the counts called {@code parts} in {@code usage} to the one called {@code total}. A part that is no positive number
     * adds nothing; without any part, {@code usage} stays unchanged.
     */
    static void add(JsonNode usage, String total, String... parts) {
        long more = Stream.of(parts).mapToLong(part -> count(usage.path(part))).sum();
        if (more > 0 && usage instanceof ObjectNode counts) {
            counts.put(total, (int) Math.min(count(usage.path(total)) + more, Integer.MAX_VALUE));
        }
    }

    private static long count(JsonNode tokens) {
        return tokens.isNumber() || tokens.isTextual()
                ? (long) Math.max(0, Math.min(tokens.asDouble(), Integer.MAX_VALUE))
                : 0;
    }
}
