package dev.postern.dispatch;

import dev.postern.store.ResultRow;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The read-only queries for the nodes of the cluster, for the operator. */
public final class NodeQueries {

    private static final String ALL =
            """
            SELECT node.id, node.version, node.started_at, node.seen_at, node.most_turns,
            (SELECT COUNT(*) FROM session WHERE session.owner = node.id) AS turns
            FROM node ORDER BY node.started_at, node.id LIMIT ?""";

    private final Store store;

    /** Queries for the nodes in {@code store}. */
    public NodeQueries(Store store) {
        this.store = store;
    }

    /**
     * A node. A dead one is listed until another node has taken over its turns.
     *
     * @param version the version of its program; null where that is too old to tell it
     * @param seenAt the last renewal of its lease, by its own clock
     * @param turns the number of turns that it runs
     * @param mostTurns the most turns that it runs at once; null where its program is too old to tell it
     */
    public record Line(
            String id,
            @Nullable String version,
            Instant startedAt,
            Instant seenAt,
            long turns,
            @Nullable Long mostTurns) {}

    /** The nodes, at most {@code most}, the one that started first first. */
    public List<Line> all(int most) throws StoreException {
        return store.read(sql -> sql.query(ALL, NodeQueries::line, most));
    }

    private static Line line(ResultRow row) throws SQLException {
        return new Line(
                row.text("id"),
                row.textOrNull("version"),
                row.instant("started_at"),
                row.instant("seen_at"),
                row.number("turns"),
                row.numberOrNull("most_turns"));
    }
}
