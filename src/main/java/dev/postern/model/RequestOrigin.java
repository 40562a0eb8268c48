package dev.postern.model;

/**
 * The origin of an admitted request, under which the request log lists it.
 *
 * @param requestId the request's id, made by {@link IdGenerator}: {@code req_} and 26 characters
 * @param client the sender's address as the container gives it, or the mailbox
 * @param credential the credential that admitted the request: {@code token}, {@code signature} or {@code mail}
 * @param begun the time of the request's start, as {@link System#nanoTime}
 */
public record RequestOrigin(String requestId, String client, String credential, long begun) {}
