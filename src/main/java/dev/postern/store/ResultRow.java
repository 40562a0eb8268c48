package dev.postern.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row of a query result, read by column name. The methods without {@code OrNull} are for columns that are never null.
 */
public final class ResultRow {

    private final ResultSet rows;

    ResultRow(ResultSet rows) {
        this.rows = rows;
    }

    public String text(String column) throws SQLException {
        return present(column, rows.getString(column));
    }

    public @Nullable String textOrNull(String column) throws SQLException {
        return rows.getString(column);
    }

    public long number(String column) throws SQLException {
        long value = rows.getLong(column);
        if (rows.wasNull()) {
            throw absent(column);
        }
        return value;
    }

    /** A number that fits an {@code int}. */
    public int count(String column) throws SQLException {
        return Math.toIntExact(number(column));
    }

    public @Nullable Long numberOrNull(String column) throws SQLException {
        long value = rows.getLong(column);
        return rows.wasNull() ? null : value;
    }

    /** True for 1, false for 0: both databases store booleans as small numbers. */
    public boolean flag(String column) throws SQLException {
        return number(column) != 0;
    }

    /** The time that is stored as epoch milliseconds. */
    public Instant instant(String column) throws SQLException {
        return Instant.ofEpochMilli(number(column));
    }

    public @Nullable Instant instantOrNull(String column) throws SQLException {
        Long millis = numberOrNull(column);
        return millis == null ? null : Instant.ofEpochMilli(millis);
    }

    public byte[] bytes(String column) throws SQLException {
        return present(column, rows.getBytes(column));
    }

    private static <V> V present(String column, @Nullable V value) throws SQLException {
        if (value == null) {
            throw absent(column);
        }
        return value;
    }

    private static SQLException absent(String column) {
        return new SQLException("the column [" + column + "] is null, and never should be");
    }

    /** A mapper from a row to a value. */
    @FunctionalInterface
    public interface Mapper<T> {

        T map(ResultRow row) throws SQLException;
    }
}
