package dev.postern.acceptance;

import dev.postern.store.ResultRow;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is known of an agent's heartbeats.
 *
 * @param askedFor when one is due that was asked for, or null
 * @param lastBeatAt when one last succeeded, or null
 * @param failures how many have failed since
 * @param notBefore until when none is begun after the last failure, even if it is asked for, or null
 * @param busy true while a heartbeat or a run holds the main session's lane
 */
public record HeartbeatState(
        @Nullable Instant askedFor,
        @Nullable Instant lastBeatAt,
        int failures,
        @Nullable Instant notBefore,
        boolean busy) {

    /** The state of an agent that nothing has come in for yet. */
    static final HeartbeatState NEW = new HeartbeatState(null, null, 0, null, false);

    /** What {@code row} of the table {@code session} says. */
    static HeartbeatState of(ResultRow row) throws SQLException {
        return new HeartbeatState(
                row.instantOrNull("beat_at"),
                row.instantOrNull("last_beat_at"),
                row.count("beat_failures"),
                row.instantOrNull("beat_not_before"),
                row.textOrNull("owner") != null);
    }
}
