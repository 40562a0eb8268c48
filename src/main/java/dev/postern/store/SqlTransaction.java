package dev.postern.store;

import dev.postern.model.StorableText;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An SQL transaction on one connection. Arguments are positional: {@code String}, {@code Long}, {@code Integer},
 * {@code Boolean} (stored as 1 or 0), {@code byte[]} or null. {@link StorableText} makes text storable before it is
 * written. Statements stay prepared as long as the connection lives, so there must be few texts: constants, never built
 * from data. For one thread at a time, and only until its unit returns.
 */
public final class SqlTransaction {

    private final Connection connection;
    private final SqlDialect dialect;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();
    private final List<Runnable> afterCommit = new ArrayList<>();
    private final List<Runnable> afterRollback = new ArrayList<>();
    private boolean changed;

    SqlTransaction(Connection connection, SqlDialect dialect) {
        this.connection = connection;
        this.dialect = dialect;
    }

    /** Runs {@code unit} on {@code connection}, and closes the statements that it prepared. */
    static <T> T on(Connection connection, SqlDialect dialect, UnitOfWork<T> unit) throws SQLException {
        SqlTransaction sql = new SqlTransaction(connection, dialect);
        try {
            return unit.run(sql);
        } finally {
            sql.close();
        }
    }

    /** The database's dialect. */
    public SqlDialect dialect() {
        return dialect;
    }

    /**
     * Runs a statement that returns no rows.
     *
     * @return the number of rows that it changed
     */
    public int update(String sql, @Nullable Object... args) throws SQLException {
        PreparedStatement statement = prepare(sql);
        bind(statement, args);
        int count = statement.executeUpdate();
        changed |= count != 0;
        return count;
    }

    /**
     * Runs a statement that returns no rows once for each row of arguments, in order, with as few round trips as
     * possible.
     *
     * @return the number of rows that each row of arguments changed; not reliable for {@code INSERT … VALUES}, because
     *     PostgreSQL's driver merges several into one statement
     */
    public int[] batch(String sql, List<@Nullable Object[]> rows) throws SQLException {
        if (rows.size() == 1) {
            return new int[] {update(sql, rows.get(0))};
        }
        PreparedStatement statement = prepare(sql);
        try {
            for (@Nullable Object[] row : rows) {
                bind(statement, row);
                statement.addBatch();
            }
            int[] counts = statement.executeBatch();
            for (int count : counts) {
                changed |= count != 0;
            }
            return counts;
        } finally {
            statement.clearBatch();
        }
    }

    /** Runs a query, or a change with {@code RETURNING}, and maps all of its rows. */
    public <T> List<T> query(String sql, ResultRow.Mapper<T> mapper, @Nullable Object... args) throws SQLException {
        PreparedStatement statement = prepare(sql);
        bind(statement, args);
        List<T> found = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            ResultRow row = new ResultRow(rows);
            while (rows.next()) {
                found.add(mapper.map(row));
            }
        }
        return found;
    }

    /** As {@link #query}, for the first row alone. */
    public <T> Optional<T> first(String sql, ResultRow.Mapper<T> mapper, @Nullable Object... args) throws SQLException {
        PreparedStatement statement = prepare(sql);
        bind(statement, args);
        try (ResultSet rows = statement.executeQuery()) {
            return rows.next() ? Optional.of(mapper.map(new ResultRow(rows))) : Optional.empty();
        }
    }

    /** Runs {@code action} once when this transaction is on disk. It must be quick and must not write. */
    public void afterCommit(Runnable action) {
        afterCommit.add(action);
    }

    /** Runs {@code action} once when this transaction was rolled back. It must be quick and must not write. */
    public void afterRollback(Runnable action) {
        afterRollback.add(action);
    }

    /**
     * True when this transaction has certainly written something. A transaction that only reads may succeed when no
     * write can.
     */
    boolean changed() {
        return changed;
    }

    /**
     * Clears the registered actions.
     *
     * @return the actions that are due now, in the order of their registration
     */
    List<Runnable> ended(boolean committed) {
        changed = false;
        List<Runnable> due = List.copyOf(committed ? afterCommit : afterRollback);
        afterCommit.clear();
        afterRollback.clear();
        return due;
    }

    /** Closes the prepared statements. The connection stays the caller's. */
    void close() throws SQLException {
        for (PreparedStatement statement : prepared.values()) {
            statement.close();
        }
        prepared.clear();
    }

    private PreparedStatement prepare(String sql) throws SQLException {
        PreparedStatement statement = prepared.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            prepared.put(sql, statement);
        }
        return statement;
    }

    private static void bind(PreparedStatement statement, @Nullable Object[] args) throws SQLException {
        for (int i = 0; i < args.length; i++) {
            Object arg = args[i];
            int at = i + 1;
            if (arg == null) {
                statement.setNull(at, Types.NULL);
            } else if (arg instanceof String text) {
                statement.setString(at, StorableText.of(text));
            } else if (arg instanceof Long number) {
                statement.setLong(at, number);
            } else if (arg instanceof Integer number) {
                statement.setInt(at, number);
            } else if (arg instanceof Boolean flag) {
                statement.setInt(at, flag ? 1 : 0);
            } else if (arg instanceof byte[] bytes) {
                statement.setBytes(at, bytes);
            } else {
                throw new IllegalArgumentException(
                        "no column takes a " + arg.getClass().getName());
            }
        }
    }
}
