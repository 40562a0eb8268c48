package dev.postern.access;

import dev.postern.config.SenderSettings;
import org.jspecify.annotations.Nullable;

/** The result of authenticating one request. */
public sealed interface AuthenticationResult {

    /**
     * The request carries a valid credential.
     *
     * @param sender the sender whose own token it is; null for any other credential
     */
    record Admitted(@Nullable SenderSettings sender) implements AuthenticationResult {}

    /** The credential is wrong or missing: 401. */
    record Unauthorized() implements AuthenticationResult {}

    /**
     * This client has failed too often: 429. Its credential is wrong or missing, or was not checked.
     *
     * @param retryAfterSeconds the value of {@code Retry-After}, 1 or more
     */
    record Throttled(long retryAfterSeconds) implements AuthenticationResult {}
}
