package dev.postern.access;

/** What the gate says of a request. */
public sealed interface AuthenticationResult {

    /** The request carries a credential that is in force. */
    record Admitted() implements AuthenticationResult {}

    /** The credential is wrong or missing: 401. */
    record Refused() implements AuthenticationResult {}

    /**
     * The credential is wrong or missing, once too often from this client: 429.
     *
     * @param retryAfterSeconds what {@code Retry-After} has to say, 1 or more
     */
    record Throttled(long retryAfterSeconds) implements AuthenticationResult {}
}
