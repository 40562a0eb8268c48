package dev.postern.dispatch;

import dev.postern.store.Dialect;
import dev.postern.store.Sql;
import dev.postern.store.Store;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

/**
 * Who is alive: the {@code node} table. Each start of the program is a node of its own, and says again and again that
 * it is there. On SQLite, where the home belongs to one process, every other node is dead. On PostgreSQL one is dead
 * whose row was the same in so many looks of this node, one a while after the other: no clock is asked. A look that failed
 * makes them count anew, since the database that was away for this node was so for the others.
 */
final class NodeLease {

    private final String id;
    private final int looks;
    private final InstantSource clock;
    private final Map<String, Sighting> sightings = new HashMap<>();

    private record Sighting(long seenAt, int again) {}

    /**
     * @param looks that find a row as the one before did
     */
    NodeLease(String id, int looks, InstantSource clock) {
        this.id = id;
        this.looks = looks;
        this.clock = clock;
    }

    String id() {
        return id;
    }

    /** Says that this node is there; false when others had taken it for dead, or it is new. */
    boolean renew(Sql sql) throws SQLException {
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
    boolean isEntered(Sql sql) throws SQLException {
        return sql.first("SELECT id FROM node WHERE id = ?", row -> true, id).isPresent();
    }

    /** What the other nodes last said, by their ids. */
    Map<String, Long> others(Sql sql) throws SQLException {
        Map<String, Long> others = new HashMap<>();
        sql.query(
                "SELECT id, seen_at FROM node WHERE id <> ?",
                row -> others.put(row.text("id"), row.number("seen_at")),
                id);
        return others;
    }

    /** Those of {@code others} that are dead, as they were seen in this look. Called by one thread at a time. */
    Map<String, Long> dead(Dialect dialect, Map<String, Long> others) {
        if (dialect == Dialect.SQLITE) {
            return Map.copyOf(others);
        }
        sightings.keySet().retainAll(others.keySet());
        Map<String, Long> dead = new HashMap<>();
        others.forEach((node, seenAt) -> {
            Sighting before = sightings.get(node);
            int again = before == null || before.seenAt() != seenAt ? 0 : before.again() + 1;
            sightings.put(node, new Sighting(seenAt, again));
            if (again >= looks) {
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
    void remove(Sql sql, String node, long seenAt) throws SQLException {
        sql.update("DELETE FROM node WHERE id = ? AND seen_at = ?", node, seenAt);
    }

    /** Strikes this node off. */
    void leave(Sql sql) throws SQLException {
        sql.update("DELETE FROM node WHERE id = ?", id);
    }
}
