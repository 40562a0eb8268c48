package dev.postern.store;

import dev.postern.model.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The rows of a table that is copied, one at a time, with a digest that is the same in both databases. */
final class CopiedRows implements AutoCloseable {

    private static final int FETCH_ROWS = 200;

    private final String table;
    private final List<CopiedTable.Column> columns;
    private final Statement statement;
    private final ResultSet rows;
    private final @Nullable Object[] values;
    private long number;

    /** @param query selects {@code columns}, in their order */
    CopiedRows(Connection connection, String query, String table, List<CopiedTable.Column> columns)
            throws SQLException {
        this.table = table;
        this.columns = columns;
        this.values = new Object[columns.size()];
        this.statement = connection.createStatement();
        statement.setFetchSize(FETCH_ROWS);
        this.rows = statement.executeQuery(query);
    }

    /** The number of rows that were read. */
    long number() {
        return number;
    }

    /** The values of the present row: {@code Long}, {@code String}, {@code byte[]} or null. */
    @Nullable
    Object[] values() {
        return values;
    }

    /** Reads the next row; false when there is none. */
    boolean next() throws SQLException, StoreException {
        if (!rows.next()) {
            return false;
        }
        number++;
        for (int i = 0; i < values.length; i++) {
            values[i] = value(columns.get(i), rows.getObject(i + 1));
        }
        return true;
    }

    private @Nullable Object value(CopiedTable.Column column, @Nullable Object stored) throws StoreException {
        if (stored == null) {
            return null;
        }
        if (column.kind() == CopiedTable.Kind.NUMBER && (stored instanceof Long || stored instanceof Integer)) {
            return ((Number) stored).longValue();
        }
        if ((column.kind() == CopiedTable.Kind.TEXT && stored instanceof String)
                || (column.kind() == CopiedTable.Kind.BYTES && stored instanceof byte[])) {
            return stored;
        }
        throw new StoreException("row " + number + " of the table " + table + " holds no "
                + column.kind().name().toLowerCase(Locale.ROOT) + " in the column " + column.name()
                + "; nothing was copied");
    }

    /** The digest of the present row's values. */
    byte[] digest() {
        MessageDigest digest = Sha256.digest();
        for (Object value : values) {
            if (value == null) {
                digest.update((byte) 0);
            } else if (value instanceof Long number) {
                digest.update((byte) 1);
                digest.update(ByteBuffer.allocate(Long.BYTES).putLong(number).array());
            } else {
                boolean isText = value instanceof String;
                byte[] content = isText ? ((String) value).getBytes(StandardCharsets.UTF_8) : (byte[]) value;
                digest.update((byte) (isText ? 2 : 3));
                digest.update(ByteBuffer.allocate(Integer.BYTES)
                        .putInt(content.length)
                        .array());
                digest.update(content);
            }
        }
        return digest.digest();
    }

    @Override
    public void close() throws SQLException {
        statement.close();
    }
}
