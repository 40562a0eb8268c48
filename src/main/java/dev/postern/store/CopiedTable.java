package dev.postern.store;

import dev.postern.model.Sha256;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A table that is copied from one database to another, row by row in the order of its primary key. The schema has four
 * types of columns, which both databases name alike.
 */
final class CopiedTable {

    private static final Map<String, Kind> KINDS = Map.of(
            "text",
            Kind.TEXT,
            "bigint",
            Kind.NUMBER,
            "integer",
            Kind.NUMBER,
            "smallint",
            Kind.NUMBER,
            "bytea",
            Kind.BYTES);

    private static final String SQLITE_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name";

    /** Unlike the standard's {@code information_schema}, this view has the tables too that the role may not use. */
    private static final String POSTGRES_TABLES =
            "SELECT tablename::text AS name FROM pg_catalog.pg_tables WHERE schemaname = current_schema()"
                    + " ORDER BY tablename COLLATE \"C\"";

    private static final String SQLITE_COLUMNS = "SELECT name, type FROM pragma_table_info(?) ORDER BY cid";

    private static final String POSTGRES_COLUMNS =
            "SELECT column_name AS name, data_type AS type FROM information_schema.columns"
                    + " WHERE table_schema = current_schema() AND table_name = ? ORDER BY ordinal_position";

    private static final int BATCH_ROWS = 500;
    private static final long BATCH_BYTES = 4 << 20;
    private static final long REPORT_ROWS = 100_000;

    private final String name;
    private final List<Column> columns;
    private final List<Column> key;

    private CopiedTable(String name, List<Column> columns, List<Column> key) {
        this.name = name;
        this.columns = columns;
        this.key = key;
    }

    /** The kinds of values in a column. */
    enum Kind {
        TEXT,
        NUMBER,
        BYTES
    }

    /** A column of the table. */
    record Column(String name, Kind kind) {}

    /** The tables of the database that {@code connection} leads to, which holds Postern's tables alone. */
    static List<CopiedTable> all(Connection connection, SqlDialect dialect) throws SQLException {
        return SqlTransaction.on(connection, dialect, sql -> {
            List<CopiedTable> tables = new ArrayList<>();
            for (String name : names(sql)) {
                List<Column> columns = sql.query(
                        dialect == SqlDialect.SQLITE ? SQLITE_COLUMNS : POSTGRES_COLUMNS,
                        row -> new Column(row.text("name"), kind(name, row.text("type"))),
                        name);
                tables.add(new CopiedTable(name, columns, key(connection, name, columns)));
            }
            return tables;
        });
    }

    /** The names of all tables in the database, or in the schema that is its connections' own. */
    static List<String> names(SqlTransaction sql) throws SQLException {
        return sql.query(sql.dialect() == SqlDialect.SQLITE ? SQLITE_TABLES : POSTGRES_TABLES, row -> row.text("name"));
    }

    private static Kind kind(String table, String type) throws SQLException {
        Kind kind = KINDS.get(type.toLowerCase(Locale.ROOT));
        if (kind == null) {
            throw new SQLException(
                    "the table " + table + " has a column of the type " + type + ", which can't be copied");
        }
        return kind;
    }

    private static List<Column> key(Connection connection, String table, List<Column> columns) throws SQLException {
        SortedMap<Integer, String> names = new TreeMap<>();
        try (ResultSet rows = connection.getMetaData().getPrimaryKeys(null, connection.getSchema(), table)) {
            while (rows.next()) {
                names.put(rows.getInt("KEY_SEQ"), rows.getString("COLUMN_NAME"));
            }
        }
        List<Column> key = names.values().stream()
                .flatMap(name -> columns.stream().filter(column -> column.name().equals(name)))
                .toList();
        if (key.isEmpty()) {
            throw new SQLException("the table " + table + " has no primary key to order its rows by");
        }
        return key;
    }

    String name() {
        return name;
    }

    String quotedName() {
        return quote(name);
    }

    /**
     * Replaces the rows of the target by those of the source.
     *
     * @return the number of rows
     */
    long copy(Connection source, SqlDialect dialect, Connection target, DatabaseCopy.Progress progress)
            throws SQLException, StoreException {
        String insert = "INSERT INTO " + quotedName() + " (" + names() + ") VALUES ("
                + columns.stream().map(column -> "?").collect(Collectors.joining(", ")) + ")";
        try (Statement clear = target.createStatement();
                PreparedStatement into = target.prepareStatement(insert);
                CopiedRows rows = rows(source, dialect)) {
            clear.executeUpdate("DELETE FROM " + quotedName()); // what the migration has put there
            int waiting = 0;
            long bytes = 0;
            while (rows.next()) {
                bytes += bind(into, rows.values());
                into.addBatch();
                waiting++;
                if (waiting == BATCH_ROWS || bytes > BATCH_BYTES) {
                    into.executeBatch();
                    waiting = 0;
                    bytes = 0;
                }
                if (rows.number() % REPORT_ROWS == 0) {
                    progress.copying(name, rows.number());
                }
            }
            into.executeBatch();
            return rows.number();
        }
    }

    /**
     * Compares each row of the target with its source, by a digest of all its values.
     *
     * @return the digest of all rows, in hexadecimal
     * @throws StoreException with the number of the first row that differs
     */
    String compare(Connection source, SqlDialect dialect, Connection target, SqlDialect targetDialect)
            throws SQLException, StoreException {
        MessageDigest all = Sha256.digest();
        try (CopiedRows wanted = rows(source, dialect);
                CopiedRows copied = rows(target, targetDialect)) {
            while (wanted.next()) {
                byte[] digest = wanted.digest();
                if (!copied.next() || !MessageDigest.isEqual(digest, copied.digest())) {
                    throw differs(wanted.number());
                }
                all.update(digest);
            }
            if (copied.next()) {
                throw differs(copied.number());
            }
        }
        return HexFormat.of().formatHex(all.digest());
    }

    private StoreException differs(long row) {
        return new StoreException("row " + row + " of the table " + name
                + " differs in the copy from its source, in the order of the primary key; nothing was copied");
    }

    /** Sets the parameters of {@code into}; returns the approximate size of the values. */
    private long bind(PreparedStatement into, @Nullable Object[] values) throws SQLException {
        long bytes = 0;
        for (int i = 0; i < values.length; i++) {
            Object value = values[i];
            if (value == null) {
                into.setNull(i + 1, Types.NULL);
            } else if (value instanceof Long number) {
                into.setLong(i + 1, number);
            } else if (value instanceof String text) {
                into.setString(i + 1, text);
                bytes += text.length();
            } else {
                byte[] content = (byte[]) value;
                into.setBytes(i + 1, content);
                bytes += content.length;
            }
        }
        return bytes;
    }

    private String names() {
        return columns.stream().map(column -> quote(column.name())).collect(Collectors.joining(", "));
    }

    private static String quote(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    /** The rows in one database. Both databases give them in the same order, that of the bytes of the key. */
    private CopiedRows rows(Connection connection, SqlDialect dialect) throws SQLException {
        String order = key.stream()
                .map(column -> quote(column.name())
                        + (dialect == SqlDialect.POSTGRESQL && column.kind() == Kind.TEXT ? " COLLATE \"C\"" : ""))
                .collect(Collectors.joining(", "));
        String query = "SELECT " + names() + " FROM " + quotedName() + " ORDER BY " + order;
        return new CopiedRows(connection, query, name, columns);
    }
}
