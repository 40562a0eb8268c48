package dev.postern.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The result of the inspection of a SQLite file that nobody uses: it is a sound database of Postern.
 *
 * @param schema the number of its schema
 * @param schemaText the schema in words that follow the database's name
 * @param rows the number of rows of each table
 */
public record SqliteInspection(int schema, String schemaText, SortedMap<String, Long> rows) {

    private static final byte[] HEADER = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);

    private static final String TABLES =
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name";

    public SqliteInspection {
        rows = new TreeMap<>(rows);
    }

    /** True when {@code file} begins as SQLite's files do. */
    public static boolean isSqlite(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return Arrays.equals(in.readNBytes(HEADER.length), HEADER);
        }
    }

    /**
     * Inspects {@code file}: its schema, each page and index, and the references between rows. Changes nothing.
     *
     * @param libraries the directory for SQLite's library, if it can be used; null for the one for temporary files
     * @throws StoreException in words for the operator, when it is damaged, no database of Postern, or one that this
     *     program could not start on
     */
    public static SqliteInspection of(Path file, @Nullable Path libraries) throws StoreException {
        try {
            if (!isSqlite(file)) {
                throw new StoreException("[" + file + "] is no SQLite database");
            }
        } catch (IOException e) {
            throw new StoreException("[" + file + "] can't be read: " + e.getMessage(), e);
        }
        try (ReadOnlyStore store = ReadOnlyStore.sqlite(file, libraries)) {
            return store.inspect(sql -> of(file, sql));
        } catch (SQLException e) {
            throw new StoreException("[" + file + "] is damaged or can't be read: " + e.getMessage(), e);
        }
    }

    /** An inspection on an open database. */
    interface Inspector {
        SqliteInspection inspect(SqlTransaction sql) throws SQLException, StoreException;
    }

    private static SqliteInspection of(Path file, SqlTransaction sql) throws SQLException, StoreException {
        SchemaMigrator migrator = new SchemaMigrator(InstantSource.system());
        if (!SchemaMigrator.hasVersions(sql)) {
            throw new StoreException("[" + file + "] is no database of Postern: it has no table schema_version");
        }
        int schema = migrator.requireUsableSchema(sql);
        List<String> faults = sql.query("PRAGMA integrity_check", row -> row.text("integrity_check"));
        if (!faults.equals(List.of("ok"))) {
            throw new StoreException("[" + file + "] is damaged: " + faults.get(0));
        }
        List<String> orphans = sql.query("PRAGMA foreign_key_check", row -> row.text("table"));
        if (!orphans.isEmpty()) {
            throw new StoreException(
                    "[" + file + "] has rows whose references lead nowhere, in the table " + orphans.get(0));
        }
        TreeMap<String, Long> rows = new TreeMap<>();
        for (String table : sql.query(TABLES, row -> row.text("name"))) {
            String count = "SELECT count(*) AS number FROM \"" + table.replace("\"", "\"\"") + '"';
            rows.put(table, sql.first(count, row -> row.number("number")).orElseThrow());
        }
        return new SqliteInspection(schema, migrator.describe(schema), rows);
    }
}
