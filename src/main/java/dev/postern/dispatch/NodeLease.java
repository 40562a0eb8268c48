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
 * Who is alive: the {@code node} table. Each start of the program is a node of its own, and says again and again that
 * it is there. On SQLite, where the home belongs to one process, every other node is dead. On PostgreSQL one is dead
 * whose row was the same in several looks of this node for long enough, by the time that went by here: no clock on a wall is
 * asked. A look that failed makes it begin anew, since the database that was away for this node was so for the others.
 */
final class NodeLease {

    /** So many looks are needed: one that was frozen itself sees at once that much time has gone by. */
    static final int LOOKS = 3;

    static final String OVER = "a database that was away too long";

    private final String id;
    private final Duration length;
    private final Duration silence;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final Map<String, Sighting> sightings = new HashMap<>();
    /** By {@link #nanos}; null where it never ends. */
    private volatile @Nullable Long end;

    /** What a node last said, when this was first seen, and how often it has been seen again. */
    private record Sighting(long seenAt, long since, int again) {}

    /**
     * @param length after so long without a renewal this node must do nothing any more that one node alone may do
     * @param silence of the dead
     * @param nanos as {@link System#nanoTime}
     */
    NodeLease(String id, Duration length, Duration silence, InstantSource clock, LongSupplier nanos) {
        this.id = id;
        this.length = length;
        this.silence = silence;
        this.clock = clock;
        this.nanos = nanos;
    }

    String id() {
        return id;
    }

    /** When it is, to be told to {@link #dead}. */
    long nanos() {
        return nanos.getAsLong();
    }

    /**
     * Notes a renewal that has worked.
     *
     * @param begunAt by {@link #nanos}
     */
    void lasts(SqlDialect dialect, long begunAt) {
        end = dialect == SqlDialect.SQLITE ? null : begunAt + length.toNanos();
    }

    /**
     * Why a turn of this node must not go on, once its lease is over. Any thread may ask, and one that was frozen with this
     * node learns it here before anything else has noticed.
     */
    Optional<String> over() {
        @Nullable Long until = end;
        return until == null || nanos.getAsLong() - until < 0 ? Optional.empty() : Optional.of(OVER);
    }

    /** Says that this node is there; false when others had taken it for dead, or it is new. */
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
                "INSERT INTO node (id, started_at, seen_at, knows_schema) VALUES (?, ?, ?, ?)",
                id,
                now,
                now,
                Store.knownSchema());
        return false;
    }

    /** True while nobody has taken this node for dead. */
    boolean isEntered(SqlTransaction sql) throws SQLException {
        return sql.first("SELECT id FROM node WHERE id = ?", row -> true, id).isPresent();
    }

    /** What the other nodes last said, by their ids. */
    Map<String, Long> others(SqlTransaction sql) throws SQLException {
        Map<String, Long> others = new HashMap<>();
        sql.query(
                "SELECT id, seen_at FROM node WHERE id <> ?",
                row -> others.put(row.text("id"), row.number("seen_at")),
                id);
        return others;
    }

    /**
     * Those of {@code others} that are dead, as they were seen in a look that has just been answered. Called by one thread
     * at a time.
     *
     * @param begunAt by {@link #nanos}
     */
    Map<String, Long> dead(SqlDialect dialect, Map<String, Long> others, long begunAt) {
        if (dialect == SqlDialect.SQLITE) {
            return Map.copyOf(others);
        }
        sightings.keySet().retainAll(others.keySet());
        long now = nanos.getAsLong();
        Map<String, Long> dead = new HashMap<>();
        others.forEach((node, seenAt) -> {
            Sighting before = sightings.get(node);
            Sighting after = before == null || before.seenAt() != seenAt
                    ? new Sighting(seenAt, now, 0)
                    : new Sighting(seenAt, before.since(), before.again() + 1);
            sightings.put(node, after);
            if (after.again() >= LOOKS && begunAt - after.since() >= silence.toNanos()) {
                dead.put(node, seenAt);
            }
        });
        return dead;
    }

    /** Notes that a look has failed. Called by the thread that calls {@link #dead}. */
    void missed() {
        sightings.clear();
    }

    /** Strikes {@code node} off, unless it has said something since it said {@code seenAt}. */
    void remove(SqlTransaction sql, String node, long seenAt) throws SQLException {
        sql.update("DELETE FROM node WHERE id = ? AND seen_at = ?", node, seenAt);
    }

    /** Strikes this node off. */
    void leave(SqlTransaction sql) throws SQLException {
        sql.update("DELETE FROM node WHERE id = ?", id);
    }
}
