package dev.postern.dispatch;

import dev.postern.store.SqlDialect;
import dev.postern.store.SqlTransaction;
import dev.postern.store.Store;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The lease of this node in the {@code node} table, and the detection of dead nodes. Each start of the program is a new
 * node, which renews its row repeatedly. On SQLite, where the home belongs to one process, every other node is dead. On
 * PostgreSQL a node is dead if its row stayed the same in several checks of this node for long enough, by the time that
 * elapsed here. No wall clock is used. A failed check starts this count again, because a database that was away for
 * this node was away for the others too.
 */
final class NodeLease {

    /**
     * The number of checks with an unchanged row that are needed: a node that was frozen itself sees at once that much
     * time has passed.
     */
    static final int LOOKS = 3;

    static final String OVER = "a database that was away too long";

    private final String id;
    private final NodeProgram program;
    private final Duration length;
    private final Duration silence;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final Map<String, Observation> observations = new HashMap<>();
    /** The end of the lease by {@link #nanos}; null where it never ends. */
    private volatile @Nullable Long end;

    /**
     * An observation of a node: the last value of its {@code seen_at}, when that was first seen, and how often it was
     * seen again.
     */
    private record Observation(long seenAt, long since, int again) {}

    /**
     * @param length the time without a renewal after which this node must do nothing that only one node may do
     * @param silence the time without a change of its row after which another node is dead
     * @param nanos as {@link System#nanoTime}
     */
    NodeLease(
            String id,
            NodeProgram program,
            Duration length,
            Duration silence,
            InstantSource clock,
            LongSupplier nanos) {
        this.id = id;
        this.program = program;
        this.length = length;
        this.silence = silence;
        this.clock = clock;
        this.nanos = nanos;
    }

    String id() {
        return id;
    }

    /** The current time, as an argument for {@link #dead}. */
    long nanos() {
        return nanos.getAsLong();
    }

    /**
     * Notes a successful renewal.
     *
     * @param begunAt the start of the renewal by {@link #nanos}
     */
    void lasts(SqlDialect dialect, long begunAt) {
        end = dialect == SqlDialect.SQLITE ? null : begunAt + length.toNanos();
    }

    /**
     * The reason why a turn of this node must not continue, once its lease has ended. Any thread may ask. A thread that
     * was frozen with this node learns it here before anything else has noticed.
     */
    Optional<String> expiryReason() {
        @Nullable Long until = end;
        return until == null || nanos.getAsLong() - until < 0 ? Optional.empty() : Optional.of(OVER);
    }

    /** Renews this node's row; false when other nodes had declared it dead, or it is new. */
    boolean renew(SqlTransaction sql) throws SQLException {
        long now = clock.millis();
        int known = sql.update(
                "UPDATE node SET seen_at = CASE WHEN seen_at < ? THEN ? ELSE seen_at + 1 END WHERE id = ?",
                now,
                now,
                id);
        if (known == 1) {
            return true;
        }
        sql.update(
                "INSERT INTO node (id, started_at, seen_at, knows_schema, version, most_turns) VALUES (?, ?, ?, ?, ?, ?)",
                id,
                now,
                now,
                Store.knownSchema(),
                program.version(),
                program.mostTurns());
        return false;
    }

    /** True while no other node has declared this node dead. */
    boolean isEntered(SqlTransaction sql) throws SQLException {
        return sql.first("SELECT id FROM node WHERE id = ?", row -> true, id).isPresent();
    }

    /** The {@code seen_at} values of the other nodes, by their ids. */
    Map<String, Long> others(SqlTransaction sql) throws SQLException {
        Map<String, Long> others = new HashMap<>();
        sql.query(
                "SELECT id, seen_at FROM node WHERE id <> ?",
                row -> others.put(row.text("id"), row.number("seen_at")),
                id);
        return others;
    }

    /**
     * The dead nodes among {@code others}, as a check has just returned them. Called by one thread at a time.
     *
     * @param begunAt the start of that check by {@link #nanos}
     */
    Map<String, Long> dead(SqlDialect dialect, Map<String, Long> others, long begunAt) {
        if (dialect == SqlDialect.SQLITE) {
            return Map.copyOf(others);
        }
        observations.keySet().retainAll(others.keySet());
        long now = nanos.getAsLong();
        Map<String, Long> dead = new HashMap<>();
        others.forEach((node, seenAt) -> {
            Observation before = observations.get(node);
            Observation after = before == null || before.seenAt() != seenAt
                    ? new Observation(seenAt, now, 0)
                    : new Observation(seenAt, before.since(), before.again() + 1);
            observations.put(node, after);
            if (after.again() >= LOOKS && begunAt - after.since() >= silence.toNanos()) {
                dead.put(node, seenAt);
            }
        });
        return dead;
    }

    /** Notes that a check has failed. Called by the thread that calls {@link #dead}. */
    void missed() {
        observations.clear();
    }

    /** Removes {@code node}, unless it has renewed its row since {@code seenAt}. */
    void remove(SqlTransaction sql, String node, long seenAt) throws SQLException {
        sql.update("DELETE FROM node WHERE id = ? AND seen_at = ?", node, seenAt);
    }

    /** Removes this node. */
    void leave(SqlTransaction sql) throws SQLException {
        sql.update("DELETE FROM node WHERE id = ?", id);
    }
}
