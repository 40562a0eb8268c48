package dev.postern.channel.vendor;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.model.BlankText;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What became of one request to a service: exactly one of these. None holds anything that was sent. */
sealed interface HttpResult {

    /** The longest pause that a service is given. */
    Duration LONGEST_PAUSE = Duration.ofHours(1);

    /**
     * It was answered.
     *
     * @param status of HTTP; a redirect is an answer like another
     * @param body a text when it is no JSON; missing when there is none, or too much
     * @param pause what {@code Retry-After} says, up to {@link #LONGEST_PAUSE}; null without it
     */
    record Answer(int status, HttpHeaders headers, JsonNode body, @Nullable Duration pause) implements HttpResult {

        private static final int LONGEST_NAME = 80;
        private static final Pattern ID = Pattern.compile("[!-~]{1,200}");
        private static final Pattern CODE = Pattern.compile("[A-Za-z0-9_.]{1,64}|-?[0-9]{1,18}");

        boolean isGood() {
            return status / 100 == 2;
        }

        /** The text at {@code pointer} (RFC 6901) of the body; null where there is none. */
        @Nullable
        String text(String pointer) {
            JsonNode found = body.at(pointer);
            return found.isTextual() || found.isIntegralNumber() ? found.asText() : null;
        }

        /** The id at {@code pointer} of the body: visible ASCII, at most 200 characters; null where there is none. */
        @Nullable
        String id(String pointer) {
            String found = text(pointer);
            return found != null && ID.matcher(found).matches() ? found : null;
        }

        /** The name at {@code pointer} of the body, cut to what can be shown in a line; null where there is none. */
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
            return BlankText.isNothing(shown) ? null : shown;
        }

        /** The error's code at {@code pointer} of the body, in words that can be shown: else the status. */
        String code(String pointer) {
            String code = text(pointer);
            return code != null && CODE.matcher(code).matches() ? code : "status " + status;
        }

        /** This answer, with the longer of its own pause and {@code seconds}. */
        Answer pausing(OptionalDouble seconds) {
            if (seconds.isEmpty()) {
                return this;
            }
            double bounded = Math.max(0, Math.min(seconds.getAsDouble(), (double) LONGEST_PAUSE.toSeconds()));
            Duration other = Duration.ofMillis((long) Math.ceil(bounded * 1000));
            return new Answer(status, headers, body, pause != null && pause.compareTo(other) > 0 ? pause : other);
        }

        /** Nothing of the answer, which may hold what was sent. */
        @Override
        public String toString() {
            return "Answer[" + status + "]";
        }
    }

    /**
     * Nothing was sent, and another time it may be.
     *
     * @param fault which kind it is
     */
    record Unsent(Fault fault) implements HttpResult {}

    /**
     * It may have been sent, and there is no answer.
     *
     * @param fault which kind it is
     */
    record Lost(Fault fault) implements HttpResult {}

    /** It can't be sent at all: a credential or an address holds characters that no request can carry. */
    record Unfit() implements HttpResult {}

    /** What keeps an answer from us. */
    enum Fault {
        UNKNOWN_HOST,
        NOT_CONNECTED,
        NOT_SECURED,
        NO_ANSWER,
        BROKEN,
        STOPPED
    }
}
