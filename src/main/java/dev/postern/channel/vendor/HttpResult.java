package dev.postern.channel.vendor;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.model.BlankText;
import dev.postern.net.RetryAfter;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.InstantSource;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The result of one request to a service, exactly one of these. None holds any data that was sent. */
sealed interface HttpResult {

    /**
     * The service's response.
     *
     * @param status HTTP status; redirects are not followed
     * @param body JSON, or a text node if the body is no JSON; missing if there is no body or it is too long
     * @param pause pause from {@code Retry-After}, up to {@link RetryAfter#LONGEST}; null without it
     */
    record Response(int status, HttpHeaders headers, JsonNode body, @Nullable Duration pause) implements HttpResult {

        private static final int LONGEST_NAME = 80;
        private static final Pattern ID = Pattern.compile("[!-~]{1,200}");
        private static final Pattern CODE = Pattern.compile("[A-Za-z0-9_.]{1,64}|-?[0-9]{1,18}");

        private static final Pattern TIME = Pattern.compile("[0-9]{1,12}");

        boolean isGood() {
            return status / 100 == 2;
        }

        /** The text at {@code pointer} (RFC 6901) in the body; null if there is none. */
        @Nullable
        String text(String pointer) {
            JsonNode found = body.at(pointer);
            return found.isTextual() || found.isIntegralNumber() ? found.asText() : null;
        }

        /** The id at {@code pointer} in the body: visible ASCII, at most 200 characters; null if there is none. */
        @Nullable
        String id(String pointer) {
            String found = text(pointer);
            return found != null && ID.matcher(found).matches() ? found : null;
        }

        /** The name at {@code pointer} in the body, without control characters and cut to 80; null if there is none. */
        @Nullable
        String name(String pointer) {
            String found = text(pointer);
            if (found == null) {
                return null;
            }
            String shown = found.codePoints()
                    .filter(c -> !Character.isISOControl(c) && Character.getType(c) != Character.FORMAT)
                    .limit(LONGEST_NAME)
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
            return BlankText.isBlank(shown) ? null : shown;
        }

        /** The error code at {@code pointer} in the body if it is safe to show, else the status. */
        String code(String pointer) {
            String code = text(pointer);
            return code != null && CODE.matcher(code).matches() ? code : statusCode();
        }

        /** The error code of a service that has no codes: its status. */
        String statusCode() {
            return "status " + status;
        }

        /** This response with the longer of its own pause and {@code seconds}. */
        Response pausing(OptionalDouble seconds) {
            if (seconds.isEmpty()) {
                return this;
            }
            double bounded = Math.max(0, Math.min(seconds.getAsDouble(), (double) RetryAfter.LONGEST.toSeconds()));
            Duration other = Duration.ofMillis((long) Math.ceil(bounded * 1000));
            return new Response(status, headers, body, pause != null && pause.compareTo(other) > 0 ? pause : other);
        }

        /** This response with {@code seconds} as its pause, if it is one of a rate limit (429) and names no pause itself. */
        Response pausingForLimit(OptionalDouble seconds) {
            return status == 429 && pause == null ? pausing(seconds) : this;
        }

        /** The seconds until the time in the header {@code name}, which is in seconds since 1970; empty without it. */
        OptionalDouble until(String name, InstantSource clock) {
            return headers.firstValue(name)
                    .filter(value -> TIME.matcher(value).matches())
                    .map(value -> OptionalDouble.of(Long.parseLong(value) - clock.millis() / 1000.0))
                    .orElse(OptionalDouble.empty());
        }

        /** The status alone, because the body may repeat the request. */
        @Override
        public String toString() {
            return "Answer[" + status + "]";
        }
    }

    /**
     * A request that was not sent; a later attempt may succeed.
     *
     * @param fault the kind of failure
     */
    record Unsent(Failure fault) implements HttpResult {}

    /**
     * A request that may have been sent, but got no complete response.
     *
     * @param fault the kind of failure
     */
    record Lost(Failure fault) implements HttpResult {}

    /** A request that can never be sent, because a credential or an address holds characters that HTTP does not allow. */
    record Unsendable() implements HttpResult {}

    /** The kinds of failure that prevent a response. */
    enum Failure {
        UNKNOWN_HOST,
        NOT_CONNECTED,
        NOT_CONNECTED_BY_PROXY,
        NOT_SECURED,
        NO_ANSWER,
        BROKEN,
        STOPPED
    }
}
