package dev.postern.model;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The origin of an admitted request, under which the request log lists it.
 *
 * @param requestId the request's id, made by {@link IdGenerator}: {@code req_} and 26 characters
 * @param client the sender's address as the container gives it, or the mailbox
 * @param credential the credential that admitted the request: {@code token}, {@code signature}, {@code mail} or {@code replay}
 * @param begun the time of the request's start, as {@link System#nanoTime}
 * @param sender the id of the sender whose own token admitted the request; null for any other credential
 * @param replayOf the id of the request that this one replays; null if it came from a sender
 */
public record RequestOrigin(
        String requestId,
        String client,
        String credential,
        long begun,
        @Nullable String sender,
        @Nullable String replayOf) {

    private static final long NANOS_PER_MICRO = 1_000;

    /** The origin of a request that no sender's own token admitted, and that replays no other. */
    public RequestOrigin(String requestId, String client, String credential, long begun) {
        this(requestId, client, credential, begun, null, null);
    }

    /**
     * The request and its result, which is known now, as the request log stores them.
     *
     * @param hook the path below the hook prefix
     * @param mapping the id of the mapping that took it; empty if none did, or none was needed
     * @param bytes the length of the body
     * @param payload the payload; null if it is not kept
     */
    public LoggedRequest logged(
            String hook,
            String mapping,
            Instant receivedAt,
            HookResult result,
            long bytes,
            @Nullable SealedPayload payload) {
        RequestLogEntry entry = new RequestLogEntry(
                requestId,
                /* at= */ receivedAt,
                client,
                credential,
                sender,
                hook,
                mapping,
                result.status(),
                result.code(),
                /* detail= */ result instanceof HookResult.Failure failure ? failure.sentence() : "",
                bytes,
                /* micros= */ (System.nanoTime() - begun) / NANOS_PER_MICRO,
                /* became= */ result instanceof HookResult.Accepted accepted
                        ? accepted.receipts().stream().map(Receipt::name).toList()
                        : List.of());
        return new LoggedRequest(entry, replayOf, payload);
    }
}
