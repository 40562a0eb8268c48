package dev.postern.access;

/** The decision on a request that a sender's own token has admitted, before its body is read. */
public sealed interface SenderDecision {

    /** The request goes on. */
    record Accepted() implements SenderDecision {}

    /** The sender may not call that hook: 403. */
    record HookDenied() implements SenderDecision {}

    /**
     * The sender has sent too many requests: 429.
     *
     * @param retryAfterSeconds the value of {@code Retry-After}, 1 or more
     */
    record RateExceeded(long retryAfterSeconds) implements SenderDecision {}
}
