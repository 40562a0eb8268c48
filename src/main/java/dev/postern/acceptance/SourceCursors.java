package dev.postern.acceptance;

import dev.postern.store.SqlTransaction;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The cursors of the sources that Postern reads by itself, in the table {@code bookmark}: the place that was reached,
 * and the node that reads. A source has one reader at a time, until that node is gone. Safe for use by many threads.
 */
public final class SourceCursors {

    private static final Logger LOG = System.getLogger(SourceCursors.class.getName());

    /** Selects sources without a reader that is alive. */
    private static final String FREE = "(reader IS NULL OR reader NOT IN (SELECT id FROM node))";

    private static final String FIND = "SELECT place, reader, changed_at, CASE WHEN " + FREE
            + " THEN 1 ELSE 0 END AS free FROM bookmark WHERE source = ?";

    private static final String ADD =
            """
            INSERT INTO bookmark (source, changed_at) VALUES (?, ?) ON CONFLICT (source) DO NOTHING""";

    private static final String TAKE = "UPDATE bookmark SET reader = ? WHERE source = ? AND " + FREE
            + " AND EXISTS (SELECT 1 FROM node WHERE id = ?)";

    private static final String RELEASE = "UPDATE bookmark SET reader = NULL WHERE source = ? AND reader = ?";

    private static final String ADVANCE =
            """
            UPDATE bookmark SET place = ?, changed_at = ?
            WHERE source = ? AND reader = ? AND place IS NOT DISTINCT FROM ?""";

    private final Store store;
    private final InstantSource clock;

    /** The cursors in {@code store}. */
    public SourceCursors(Store store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    /** The reader of a source. */
    public sealed interface Reader {

        /**
         * The node that asked.
         *
         * @param place the cursor; null where nothing was read yet
         * @param since the time when the cursor was last moved, or else when a node first asked for the source
         */
        record Self(@Nullable String place, Instant since) implements Reader {}

        /** Another node, which is alive. */
        record Other() implements Reader {}

        /** Unknown, because the database does not respond; the store has logged why. */
        record Unknown() implements Reader {}
    }

    /** The outcome of a {@link CursorUpdate}. */
    public enum Move {
        /** The cursor was moved. */
        MOVED,
        /** Another node reads the source, or this one at another place. */
        SUPERSEDED,
        /** The database did not confirm the update; the store has logged why. */
        UNKNOWN
    }

    /** Makes {@code node} the reader of {@code source} unless another one is. Writes nothing when nothing changes. */
    public Reader take(String source, String node) {
        try {
            Optional<Row> row = store.read(sql -> find(sql, source));
            if (row.isPresent() && !row.get().free()) {
                return row.get().readBy(node);
            }
            return store.writeAndWait(sql -> {
                sql.update(ADD, source, clock.millis());
                sql.update(TAKE, node, source, node);
                return find(sql, source).orElseThrow().readBy(node);
            });
        } catch (StoreException e) {
            return new Reader.Unknown();
        }
    }

    /** Leaves {@code source} without a reader if {@code node} is it. While the database does not respond, it stays. */
    public void release(String source, String node) {
        try {
            store.writeAndWait(sql -> sql.update(RELEASE, source, node));
        } catch (StoreException e) {
            LOG.log(Level.DEBUG, "The reader of a source could not be released; it stays", e);
        }
    }

    /** Moves a cursor, and does nothing else. */
    public Move move(CursorUpdate cursorUpdate) {
        try {
            return store.writeAndWait(sql -> advance(sql, cursorUpdate, clock.millis())) ? Move.MOVED : Move.SUPERSEDED;
        } catch (StoreException e) {
            return Move.UNKNOWN;
        }
    }

    static boolean advance(SqlTransaction sql, CursorUpdate cursorUpdate, long now) throws SQLException {
        return sql.update(
                        ADVANCE,
                        cursorUpdate.to(),
                        now,
                        cursorUpdate.source(),
                        cursorUpdate.reader(),
                        cursorUpdate.from())
                == 1;
    }

    private static Optional<Row> find(SqlTransaction sql, String source) throws SQLException {
        return sql.first(
                FIND,
                row -> new Row(
                        row.textOrNull("place"), row.textOrNull("reader"), row.number("changed_at"), row.flag("free")),
                source);
    }

    private record Row(@Nullable String place, @Nullable String reader, long changedAt, boolean free) {

        Reader readBy(String node) {
            return node.equals(reader) ? new Reader.Self(place, Instant.ofEpochMilli(changedAt)) : new Reader.Other();
        }
    }
}
