package dev.postern.acceptance;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is known of an agent's heartbeats.
 *
 * @param askedFor when one is due that was asked for, or null
 * @param lastBeatAt when one last succeeded, or null
 * @param failures how many have failed since
 * @param busy true while a heartbeat or a run holds the main session's lane
 */
public record BeatState(@Nullable Instant askedFor, @Nullable Instant lastBeatAt, int failures, boolean busy) {

    /** The state of an agent that nothing has come in for yet. */
    static final BeatState NEW = new BeatState(null, null, 0, false);
}
