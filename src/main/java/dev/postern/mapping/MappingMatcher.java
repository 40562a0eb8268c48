package dev.postern.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.config.MappingSettings.Match;
import dev.postern.model.HookRequest;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A matcher that decides whether a mapping handles a request. */
final class MappingMatcher {

    private final Match match;

    MappingMatcher(Match match) {
        this.match = match;
    }

    /** Whether the path, the source and all headers match. */
    boolean matches(HookRequest request, JsonNode payload) {
        return matchesPath(request) && matchesSource(payload) && firstOtherHeader(request.headers()) == null;
    }

    /**
     * The condition that does not match, for the operator; null if all match. It quotes the configuration, never the
     * request.
     */
    @Nullable
    String obstacle(HookRequest request, JsonNode payload) {
        if (!matchesPath(request)) {
            return match.path() == null
                    ? "it has no match.path, and the sender's signature opens this path's mappings alone"
                    : "match.path is [" + match.path() + "]";
        }
        if (!matchesSource(payload)) {
            return "match.source is [" + match.source() + "], which the payload's source is not";
        }
        @Nullable String header = firstOtherHeader(request.headers());
        return header == null
                ? null
                : "match.headers." + header + " is [" + match.headers().get(header) + "], which the request's "
                        + (request.headers().containsKey(header) ? "is not" : "lacks");
    }

    /**
     * Whether the path matches. A signature is configured for a path, so it gives no access to a mapping without a path.
     */
    private boolean matchesPath(HookRequest request) {
        return match.path() == null ? !request.bySignature() : match.path().equals(request.hook());
    }

    private boolean matchesSource(JsonNode payload) {
        return match.source() == null
                || match.source().equals(payload.path("source").textValue());
    }

    private @Nullable String firstOtherHeader(Map<String, String> headers) {
        for (Map.Entry<String, String> wanted : match.headers().entrySet()) {
            if (!wanted.getValue().equals(headers.get(wanted.getKey()))) {
                return wanted.getKey();
            }
        }
        return null;
    }
}
