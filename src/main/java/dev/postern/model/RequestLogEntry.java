package dev.postern.model;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request and its response, as the request log lists them.
 *
 * @param requestId the id of an admitted request; null for a request that was not admitted
 * @param client the sender's address as the container gives it, or the mailbox; may be anything
 * @param credential the credential that admitted the request; empty for a request that was not admitted
 * @param sender the id of the sender whose own token admitted the request; null for any other credential
 * @param hook the path below the hook prefix as requested, cut after 100 characters; may be anything
 * @param mapping the id of the mapping that handled it; empty if none did, or none is needed
 * @param status the HTTP status of the response
 * @param code {@code accepted}, {@code nothing} or similar, or the code of an error body
 * @param detail a sentence that only operators see, such as why a signature is invalid; may be empty
 * @param bytes the length of the body; -1 if it was not read
 * @param micros the time from the request's start to its result, in microseconds. For an accepted request it does not include
 *     the commit that stores this entry too.
 * @param became the ids of the created runs, events and deliveries, in order; of a repeated request those of the first one
 */
public record RequestLogEntry(
        @Nullable String requestId,
        Instant at,
        String client,
        String credential,
        @Nullable String sender,
        String hook,
        String mapping,
        int status,
        String code,
        String detail,
        long bytes,
        long micros,
        List<String> became) {

    private static final int LONGEST_HOOK = 100;

    public RequestLogEntry {
        hook = Excerpt.of(hook, LONGEST_HOOK);
        became = List.copyOf(became);
    }
}
