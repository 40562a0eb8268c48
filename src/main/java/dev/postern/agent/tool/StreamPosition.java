package dev.postern.agent.tool;

import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The position in a server's stream of events at which the rest can be asked for (HTML standard, section 9.2). Safe for use by
 * many threads.
 */
final class StreamPosition {

    private static final Duration USUAL_DELAY = Duration.ofSeconds(1);
    private static final Duration SHORTEST_DELAY = Duration.ofMillis(100);

    /** Delays up to a day, in milliseconds. */
    private static final Pattern DELAY = Pattern.compile("[0-9]{1,8}");

    /** Ids that can be sent in a header. */
    private static final Pattern ID = Pattern.compile("[!-~]([ -~]{0,1022}[!-~])?");

    private volatile @Nullable String eventId;
    private volatile Duration delay = USUAL_DELAY;

    /** The id of the last event; null if the stream can't be resumed. */
    @Nullable
    String eventId() {
        return eventId;
    }

    /** The time after which the server wants to be asked for the rest, and at least 100 ms. */
    Duration delay() {
        return delay;
    }

    /** Notes the id of an event that has been received. The stream can't be resumed after one that does not fit a header. */
    void reach(String id) {
        eventId = ID.matcher(id).matches() ? id : null;
    }

    /** Notes the server's delay, in milliseconds. Anything else is ignored. */
    void delay(String millis) {
        if (DELAY.matcher(millis).matches()) {
            Duration told = Duration.ofMillis(Long.parseLong(millis));
            delay = told.compareTo(SHORTEST_DELAY) < 0 ? SHORTEST_DELAY : told;
        }
    }
}
