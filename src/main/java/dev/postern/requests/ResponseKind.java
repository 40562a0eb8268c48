package dev.postern.requests;

import dev.postern.model.NothingReason;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** A kind of response to requests, by which the request log is searched. */
public enum ResponseKind {
    /** The request led to actions. */
    ACCEPTED("code = 'accepted'"),
    /** The request repeated another and led to nothing new. */
    REPEATED("code = 'repeated'"),
    /** There was nothing to do. */
    NOTHING(Arrays.stream(NothingReason.values())
            .map(reason -> "'" + reason.wire() + "'")
            .collect(Collectors.joining(", ", "code IN (", ")"))),
    /** The response is an error of the sender's, with a status from 400 to 499. */
    REFUSED("status < 500", true),
    /** The response is an error of Postern's, with a status of 500 or more. */
    FAILED("status >= 500", true);

    /** The condition of the index request_refused. */
    private static final String ERROR = "status >= 400";

    /** A condition that every request meets. */
    static final String ALL = "status >= 0";

    private final String condition;
    private final boolean isError;

    ResponseKind(String condition) {
        this(condition, false);
    }

    ResponseKind(String condition, boolean isError) {
        this.condition = condition;
        this.isError = isError;
    }

    /** The SQL condition that requests with this kind of response meet. */
    String condition() {
        return condition;
    }

    /** A condition that they meet too, and that an index finds. */
    String rows() {
        return isError ? ERROR : ALL;
    }

    /** The value as query parameters spell it. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }
}
