package dev.postern.acceptance;

import dev.postern.model.HookResult;
import dev.postern.model.Receipt;
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

    private static final long NANOS_PER_MICRO = 1_000;

    /**
     * The entry of the request log for this accepted request.
     *
     * @param bodyBytes the length of the body
     * @param nanos the time now, as {@link System#nanoTime}
     */
    RequestLogEntry accepted(HookResult.Accepted result, int bodyBytes, long nanos) {
        return new RequestLogEntry(
                origin.requestId(),
                receivedAt,
                origin.client(),
                origin.credential(),
                hook,
                mapping,
                result.status(),
                result.replayed() ? "repeated" : "accepted",
                "",
                bodyBytes,
                (nanos - origin.begun()) / NANOS_PER_MICRO,
                result.receipts().stream().map(Receipt::name).toList());
    }
}
