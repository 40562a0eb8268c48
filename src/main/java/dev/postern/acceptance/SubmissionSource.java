package dev.postern.acceptance;

import dev.postern.model.HookResult;
import dev.postern.model.LoggedRequest;
import dev.postern.model.RequestOrigin;
import dev.postern.model.SealedPayload;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The request that a submission comes from.
 *
 * @param hook the path below the hook prefix
 * @param mapping the id of the mapping that took it; empty if none was needed
 * @param receivedAt the time of the request's arrival
 * @param payload the payload; null if it is not kept
 * @param successStatus the HTTP status that the mapping sets; null for the usual one
 */
public record SubmissionSource(
        RequestOrigin origin,
        String hook,
        String mapping,
        Instant receivedAt,
        @Nullable SealedPayload payload,
        @Nullable Integer successStatus) {

    /**
     * This request as the request log stores it, accepted. The payload of a repeated request is not kept.
     *
     * @param bodyBytes the length of the body
     */
    LoggedRequest accepted(HookResult.Accepted result, int bodyBytes) {
        return origin.logged(
                hook, mapping, receivedAt, result.with(successStatus), bodyBytes, result.replayed() ? null : payload);
    }
}
