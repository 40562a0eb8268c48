package dev.postern.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * Brings a database to this version's schema: the files below {@code /db} that the table {@code schema_version} doesn't
 * name yet are run in order, all of them in one transaction. A statement ends with a semicolon at the end of a line.
 */
final class Migrator {

    /** Named one by one: a class path inside a server's archive can't be listed everywhere. */
    private static final List<String> FILES = List.of(
            "V001__intake.sql",
            "V002__briefing.sql",
            "V003__lanes.sql",
            "V004__pending.sql",
            "V005__turn_record.sql",
            "V006__outbox.sql",
            "V007__bookmark.sql");

    /** Any number that is ours: on PostgreSQL, nodes that start together migrate one after the other. */
    private static final long ADVISORY_LOCK = 7_305_809_168_543L;

    private final List<String> files;
    private final InstantSource clock;

    Migrator(InstantSource clock) {
        this(FILES, clock);
    }

    /** For files other than the ones of this version. */
    Migrator(List<String> files, InstantSource clock) {
        this.files = files;
        this.clock = clock;
    }

    /** Runs what is missing; the exception says what is wrong with a schema that doesn't fit this version. */
    void migrate(Database database) throws StoreException {
        try (Connection connection = database.plain()) {
            connection.setAutoCommit(false);
            try {
                Sql sql = new Sql(connection, database.dialect());
                migrate(sql);
                sql.close();
                connection.commit();
            } finally {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        } catch (SQLException e) {
            throw NotNow.orNever("the schema could not be brought to this version: " + e.getMessage(), e);
        }
    }

    private void migrate(Sql sql) throws SQLException, StoreException {
        if (sql.dialect() == Dialect.POSTGRESQL) {
            sql.query("SELECT pg_advisory_xact_lock(?)", row -> ADVISORY_LOCK, ADVISORY_LOCK);
        }
        sql.update(
                "CREATE TABLE IF NOT EXISTS schema_version ("
                        + "version integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, applied_at bigint NOT NULL)");
        refuseNewer(sql);
        for (int version = 1; version <= files.size(); version++) {
            step(sql, version, files.get(version - 1));
        }
    }

    private void step(Sql sql, int version, String name) throws SQLException, StoreException {
        String script = script(name);
        String checksum = checksum(script);
        Optional<String> applied = sql.first(
                "SELECT checksum FROM schema_version WHERE version = ?", row -> row.text("checksum"), version);
        if (applied.isPresent()) {
            if (!applied.get().equals(checksum)) {
                throw new StoreException("the schema's step [" + name + "] was applied in another form ["
                        + applied.get() + "] than this version has [" + checksum
                        + "]; run the version that made this database");
            }
            return;
        }
        for (String statement : script.split(";\\s*\\n", -1)) {
            if (!statement.isBlank()) {
                sql.update(statement);
            }
        }
        sql.update(
                "INSERT INTO schema_version (version, name, checksum, applied_at) VALUES (?, ?, ?, ?)",
                version,
                name,
                checksum,
                clock.millis());
    }

    private void refuseNewer(Sql sql) throws SQLException, StoreException {
        Optional<Long> newest = sql.first(
                "SELECT max(version) AS newest FROM schema_version WHERE version > ? HAVING count(*) > 0",
                row -> row.number("newest"),
                files.size());
        if (newest.isPresent()) {
            throw new StoreException("the database has schema " + newest.get() + ", made by a newer version; this one"
                    + " knows schema " + files.size() + ": run the newer version, or restore a backup");
        }
    }

    private static String script(String name) throws StoreException {
        try (InputStream in = Migrator.class.getResourceAsStream("/db/" + name)) {
            if (in == null) {
                throw new StoreException("the schema's step [" + name + "] is missing from this build");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
        } catch (IOException e) {
            throw new StoreException("the schema's step [" + name + "] can't be read", e);
        }
    }

    private static String checksum(String script) {
        CRC32 crc = new CRC32();
        crc.update(script.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().toHexDigits((int) crc.getValue());
    }
}
