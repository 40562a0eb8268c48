package dev.postern.dispatch;

import dev.postern.acceptance.ClaimedBeat;
import dev.postern.acceptance.ClaimedRun;
import dev.postern.acceptance.Events;
import dev.postern.acceptance.Runs;
import dev.postern.store.Sql;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Claims what is ready: heartbeats first, since each agent has one at most, then the runs that wait longest. */
final class Claims {

    private final String node;
    private final Runs runs;
    private final Events events;
    private final Beats beats;
    private final RunTurns runTurns;
    private final BeatTurns beatTurns;

    /**
     * @param node who claims
     */
    Claims(String node, Runs runs, Events events, Beats beats, RunTurns runTurns, BeatTurns beatTurns) {
        this.node = node;
        this.runs = runs;
        this.events = events;
        this.beats = beats;
        this.runTurns = runTurns;
        this.beatTurns = beatTurns;
    }

    /**
     * What one claim has brought.
     *
     * @param nextBeat when the next heartbeat is due that was asked for
     */
    record Claimed(List<Work> work, Optional<Instant> nextBeat) {}

    /** Claims up to {@code max} turns, in the transaction of {@code sql}. */
    Claimed claim(Sql sql, int max) throws SQLException {
        List<Work> work = new ArrayList<>();
        for (ClaimedBeat beat : beats.claim(sql, node, max)) {
            work.add(beatTurns.of(beat));
        }
        if (work.size() < max) {
            for (ClaimedRun run : runs.claim(sql, node, max - work.size())) {
                work.add(runTurns.of(run));
            }
        }
        return new Claimed(work, events.nextBeat(sql));
    }
}
