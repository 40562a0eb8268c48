package dev.postern.acceptance;

import dev.postern.model.HookResult;
import dev.postern.model.RequestLogEntry;
import dev.postern.model.RequestOrigin;
import java.time.Instant;

/**
 * The request that a submission comes from.
 *
 * @param hook the path below the hook prefix
 * @param mapping the id of the mapping that took it; empty if none was needed
 * @param receivedAt the time of the request's arrival
 */
public record SubmissionSource(RequestOrigin origin, String hook, String mapping, Instant receivedAt) {

    /**
     * The entry of the request log for this accepted request.
     *
     * @param bodyBytes the length of the body
     */
    RequestLogEntry accepted(HookResult.Accepted result, int bodyBytes) {
        return origin.entry(hook, mapping, receivedAt, result, "", bodyBytes);
    }
}
