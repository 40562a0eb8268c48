package dev.postern.dispatch;

import dev.postern.store.Dialect;
import dev.postern.store.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Who is alive: the {@code node} table. Each start of the program is a node of its own, and says again and again that
 * it is there. On SQLite, where the home belongs to one process, every other node is dead. On PostgreSQL one is dead
 * whose row didn't change for the length of the lease, by this node's clock: the nodes' clocks needn't agree.
 */
final class NodeLease {

    private final String id;
    private final Duration lease;
    private final InstantSource clock;
    private final Map<String, Sighting> sightings = new HashMap<>();

    private record Sighting(long seenAt, Instant since) {}

    NodeLease(String id, Duration lease, InstantSource clock) {
        this.id = id;
        this.lease = lease;
        this.clock = clock;
    }

    String id() {
        return id;
    }

    /** Says that this node is there; false when others had taken it for dead, or it is new. */
    boolean renew(Sql sql) throws SQLException {
        long now = clock.millis();
        if (sql.update("UPDATE node SET seen_at = ? WHERE id = ?", now, id) == 1) {
            return true;
        }
        sql.update("INSERT INTO node (id, started_at, seen_at) VALUES (?, ?, ?)", id, now, now);
        return false;
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

    /** Those of {@code others} that are dead. Called by one thread at a time. */
    List<String> dead(Dialect dialect, Map<String, Long> others) {
        if (dialect == Dialect.SQLITE) {
            return List.copyOf(others.keySet());
        }
        Instant now = clock.instant();
        sightings.keySet().retainAll(others.keySet());
        List<String> dead = new ArrayList<>();
        others.forEach((node, seenAt) -> {
            Sighting sighting = sightings.get(node);
            if (sighting == null || sighting.seenAt() != seenAt) {
                sightings.put(node, new Sighting(seenAt, now));
            } else if (!now.isBefore(sighting.since().plus(lease))) {
                dead.add(node);
            }
        });
        return dead;
    }

    /** Strikes {@code node} off. */
    void remove(Sql sql, String node) throws SQLException {
        sql.update("DELETE FROM node WHERE id = ?", node);
    }
}
