package dev.postern.model;

import java.time.Instant;
import java.util.List;

/**
 * The origin of an admitted request, under which the request log lists it.
 *
 * @param requestId the request's id, made by {@link IdGenerator}: {@code req_} and 26 characters
 * @param client the sender's address as the container gives it, or the mailbox
 * @param credential the credential that admitted the request: {@code token}, {@code signature} or {@code mail}
 * @param begun the time of the request's start, as {@link System#nanoTime}
 */
public record RequestOrigin(String requestId, String client, String credential, long begun) {

    private static final long NANOS_PER_MICRO = 1_000;

    /**
     * The entry of the request log for the request and its result, which is known now.
     *
     * @param hook the path below the hook prefix
     * @param mapping the id of the mapping that took it; empty if none did, or none was needed
     * @param detail a sentence for operators; may be empty
     * @param bytes the length of the body
     */
    public RequestLogEntry entry(
            String hook, String mapping, Instant receivedAt, HookResult result, String detail, long bytes) {
        return new RequestLogEntry(
                requestId,
                receivedAt,
                client,
                credential,
                hook,
                mapping,
                result.status(),
                result.code(),
                detail,
                bytes,
                (System.nanoTime() - begun) / NANOS_PER_MICRO,
                result instanceof HookResult.Accepted accepted
                        ? accepted.receipts().stream().map(Receipt::name).toList()
                        : List.of());
    }
}
