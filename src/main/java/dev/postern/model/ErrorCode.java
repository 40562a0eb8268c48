package dev.postern.model;

import java.util.Locale;

/** The code of an error, as the body of a response names it, with the HTTP status of that response. */
public enum ErrorCode {
    QUERY_TOKEN(400),
    INVALID_JSON(400),
    INVALID_PAYLOAD(400),
    SESSION_KEY_DISABLED(400),
    SESSION_KEY_PREFIX(400),
    AGENT_NOT_ALLOWED(400),
    MODEL_NOT_ALLOWED(400),
    MAPPING_FAILED(400),
    UNAUTHORIZED(401),
    SIGNATURE_INVALID(401),
    FORBIDDEN(403),
    NOT_ALLOWED(403),
    NOT_FOUND(404),
    METHOD_NOT_ALLOWED(405),
    BODY_TIMEOUT(408),
    PAYLOAD_TOO_LARGE(413),
    UNSUPPORTED_MEDIA_TYPE(415),
    IDEMPOTENCY_CONFLICT(422),
    THROTTLED(429),
    RATE_LIMITED(429),
    BUDGET_SPENT(429),
    INTERNAL(500),
    SCRIPT_FAILED(500, "mapping_failed"),
    OVERLOADED(503),
    UNAVAILABLE(503);

    private final int status;
    private final String wire;

    ErrorCode(int status) {
        this.status = status;
        this.wire = name().toLowerCase(Locale.ROOT);
    }

    ErrorCode(int status, String wire) {
        this.status = status;
        this.wire = wire;
    }

    /** The HTTP status. */
    public int status() {
        return status;
    }

    /**
     * The value as metrics spell it. Unlike the error body, metrics tell {@link #SCRIPT_FAILED} from
     * {@link #MAPPING_FAILED}.
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The value as the error body spells it. */
    public String wire() {
        return wire;
    }
}
