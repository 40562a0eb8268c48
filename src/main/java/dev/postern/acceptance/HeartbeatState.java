package dev.postern.acceptance;

import dev.postern.store.ResultRow;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of an agent's heartbeats.
 *
 * @param askedFor the time of the requested heartbeat, or null
 * @param lastBeatAt the time of the last successful heartbeat, or null
 * @param failures the number of failed heartbeats since then
 * @param notBefore the end of the pause after the last failure, in which none begins even if requested; or null
 * @param busy true while a heartbeat or a run holds the main session's lock
 */
public record HeartbeatState(
        @Nullable Instant askedFor,
        @Nullable Instant lastBeatAt,
        int failures,
        @Nullable Instant notBefore,
        boolean busy) {

    /** The state of an agent that has received nothing yet. */
    static final HeartbeatState NEW = new HeartbeatState(null, null, 0, null, false);

    /** The state in {@code row} of the table {@code session}. */
    static HeartbeatState of(ResultRow row) throws SQLException {
        return new HeartbeatState(
                row.instantOrNull("beat_at"),
                row.instantOrNull("last_beat_at"),
                row.count("beat_failures"),
                row.instantOrNull("beat_not_before"),
                row.textOrNull("owner") != null);
    }
}
