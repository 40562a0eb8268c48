package dev.postern.store;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A migrator that brings a database to this program's schema. It runs the files below {@code /db} that the table
 * {@code schema_version} does not list yet, in order and in one transaction. A statement ends with a semicolon at the
 * end of a line. A line {@code -- The rest is for PostgreSQL alone.} precedes statements that SQLite does not need.
 *
 * <p>The first line of a file names the oldest schema whose programs can work with the file's result. An older program,
 * which doesn't know the file, still starts on the database when that line permits it. The file is not run while a node
 * is alive that the line does not permit. So the nodes of a cluster can be upgraded one by one, if a step removes only
 * things that the previous version no longer needed. Without such a line a file permits no program that doesn't know
 * it.
 */
final class SchemaMigrator {

    private static final Logger LOG = System.getLogger(SchemaMigrator.class.getName());

    /**
     * The files of this version, in order. They are listed here because a class path inside a server's archive can't be
     * listed everywhere.
     */
    private static final List<String> FILES = List.of(
            "V001__intake.sql",
            "V002__briefing.sql",
            "V003__lanes.sql",
            "V004__pending.sql",
            "V005__turn_record.sql",
            "V006__outbox.sql",
            "V007__bookmark.sql",
            "V008__older_programs.sql",
            "V009__cancel.sql",
            "V010__audit.sql",
            "V011__sessions.sql",
            "V012__signed.sql",
            "V013__agent_sessions.sql",
            "V014__requests.sql",
            "V015__payloads.sql",
            "V016__node_program.sql",
            "V017__run_search.sql",
            "V018__senders.sql",
            "V019__provider_retry.sql",
            "V020__turn_queues.sql",
            "V021__statistics.sql",
            "V022__coalescing.sql",
            "V023__spending.sql",
            "V024__budgets.sql",
            "V025__audit_sender.sql",
            "V026__direct_delivery.sql",
            "V027__delivery_indexes.sql",
            "V028__delivery_files.sql",
            "V029__sending.sql",
            "V030__reported_events.sql",
            "V031__trace_context.sql",
            "V032__approvals.sql",
            "V033__delivery_attempts.sql",
            "V034__queues_and_id_order.sql",
            "V035__discarded_events.sql",
            "V036__delivery_page_indexes.sql",
            "V037__scheduled_heartbeats.sql");

    /**
     * The step that added the columns for this rule. Programs from before it reject every step that they don't know.
     */
    private static final int FIRST = 8;

    /** The time without a sign of life after which a node counts as gone, whichever node's clock wrote that sign. */
    static final Duration GONE = Duration.ofMinutes(2);

    private static final String ALIVE = "SELECT id FROM node WHERE COALESCE(knows_schema, " + (FIRST - 1) + ") < ?"
            + " AND seen_at > extract(epoch FROM clock_timestamp()) * 1000 - " + GONE.toMillis();

    /**
     * The key of the lock under which nodes that start together on PostgreSQL migrate one after the other. The number
     * is arbitrary.
     */
    private static final long ADVISORY_LOCK = 7_305_809_168_543L;

    /**
     * The longest wait for another session that holds a table. All statements of other nodes for this table wait
     * meanwhile. It is more than PostgreSQL's {@code deadlock_timeout} of one second, after which a running autovacuum
     * gives way.
     */
    private static final String PATIENCE = "SET LOCAL lock_timeout = '1500ms'";

    /** The SQLState of a wait for a lock that took too long. */
    private static final String LOCKED = "55P03";

    /** The pause after such a wait, in which the other nodes write. */
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private static final String ENCODING = "UTF8";

    private final List<String> files;
    private final InstantSource clock;

    SchemaMigrator(InstantSource clock) {
        this(FILES, clock);
    }

    /** A migrator for the given files instead of this version's. */
    SchemaMigrator(List<String> files, InstantSource clock) {
        this.files = files;
        this.clock = clock;
    }

    /** The schema that this program knows. */
    static int known() {
        return FILES.size();
    }

    /** The files of this program. A test adds those of a later one. */
    static List<String> files() {
        return FILES;
    }

    /**
     * Runs the missing steps.
     *
     * @throws StoreUnavailableException when another session holds a table for too long, or the database fails
     * @throws StoreException with the reason, when the database or its schema doesn't fit this version
     */
    void migrate(Database database) throws StoreException {
        try (Connection connection = database.plain()) {
            connection.setAutoCommit(false);
            try {
                SqlTransaction sql = new SqlTransaction(connection, database.dialect());
                migrate(sql);
                sql.close();
                connection.commit();
            } finally {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        } catch (SQLException e) {
            throw StoreUnavailableException.orNever(
                    "the schema could not be brought to this version: " + e.getMessage(), e);
        }
    }

    /**
     * As {@link #migrate(Database)}, in the caller's transaction. From then on, its statements wait no longer for a lock
     * than this.
     */
    void migrate(SqlTransaction sql) throws SQLException, StoreException {
        if (sql.dialect() == SqlDialect.POSTGRESQL) {
            requireEncoding(sql);
            sql.query("SELECT pg_advisory_xact_lock(?)", row -> ADVISORY_LOCK, ADVISORY_LOCK);
            sql.update(PATIENCE);
        }
        try {
            runSteps(sql);
        } catch (SQLException e) {
            if (LOCKED.equals(e.getSQLState())) {
                throw new StoreUnavailableException(
                        "the tables can't be brought to this version now, because another session holds one of them, as"
                                + " a dump or an open transaction does; wait for its end, or end it: pg_stat_activity"
                                + " shows it",
                        e,
                        PAUSE);
            }
            throw e;
        }
    }

    private void runSteps(SqlTransaction sql) throws SQLException, StoreException {
        if (!hasVersions(sql)) {
            requirePermission(sql);
        }
        sql.update(
                "CREATE TABLE IF NOT EXISTS schema_version ("
                        + "version integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, applied_at bigint NOT NULL)");
        checkNewerSchema(sql);
        for (int version = 1; version <= files.size(); version++) {
            step(sql, version, SchemaStep.read(version, files.get(version - 1)));
        }
    }

    private void step(SqlTransaction sql, int version, SchemaStep step) throws SQLException, StoreException {
        Optional<String> applied = applied(sql, version);
        if (applied.isPresent()) {
            step.requireForm(applied.get());
            return;
        }
        int oldest = step.oldestProgram();
        if (version > FIRST) {
            refuseWhileAlive(sql, step.name(), oldest);
        }
        for (String statement : step.statements(sql.dialect())) {
            sql.update(statement);
        }
        sql.update(
                "INSERT INTO schema_version (version, name, checksum, applied_at) VALUES (?, ?, ?, ?)",
                version,
                step.name(),
                step.checksum(),
                clock.millis());
        if (version >= FIRST) {
            sql.update("UPDATE schema_version SET oldest = ? WHERE version = ?", oldest, version);
        }
    }

    private static Optional<String> applied(SqlTransaction sql, int version) throws SQLException {
        return sql.first("SELECT checksum FROM schema_version WHERE version = ?", row -> row.text("checksum"), version);
    }

    /**
     * Rejects a schema that this program could not start on. Changes nothing.
     *
     * @return the schema's number
     */
    int requireUsableSchema(SqlTransaction sql) throws SQLException, StoreException {
        checkNewerSchema(sql);
        int newest = newest(sql);
        for (int version = 1; version <= Math.min(newest, files.size()); version++) {
            SchemaStep.read(version, files.get(version - 1))
                    .requireForm(applied(sql, version).orElse("none"));
        }
        return newest;
    }

    /** The database's schema, in words that follow the database's name. Changes nothing. */
    String describeSchema(SqlTransaction sql) throws SQLException, StoreException {
        if (sql.dialect() == SqlDialect.POSTGRESQL) {
            requireEncoding(sql);
        }
        if (!hasVersions(sql)) {
            requirePermission(sql);
            return "and is empty; the first start makes its tables";
        }
        checkNewerSchema(sql);
        return describe(newest(sql));
    }

    /** The schema {@code version}, in words that follow the database's name. */
    String describe(int version) {
        return "with schema " + version
                + (version < files.size() ? "; the next start brings it to schema " + files.size() : "");
    }

    /**
     * Rejects a schema that lacks a step of this program, or that a newer one has made. Changes nothing.
     *
     * @param location the database's name for people
     */
    void requireKnownSchema(SqlTransaction sql, String location) throws SQLException, StoreException {
        if (!hasVersions(sql)) {
            throw new StoreException(location + " is empty; the first start makes its tables");
        }
        checkNewerSchema(sql);
        int version = newest(sql);
        if (version < files.size()) {
            throw new StoreException(location + " has schema " + version + ", and this program needs schema "
                    + files.size() + "; its next start makes it");
        }
    }

    /** Rejects a PostgreSQL database with another encoding, which rejects texts or takes their bytes for other letters. */
    private static void requireEncoding(SqlTransaction sql) throws SQLException, StoreException {
        String encoding = sql.first("SHOW server_encoding", row -> row.text("server_encoding"))
                .orElseThrow();
        if (!encoding.equals(ENCODING)) {
            throw new StoreException("the database has the encoding " + encoding
                    + ", which can't hold every text; make another with CREATE DATABASE … ENCODING '" + ENCODING
                    + "' TEMPLATE template0"
                    + (hasVersions(sql)
                            ? ", and move this one there with copy-database of the version that used it last"
                            : ""));
        }
    }

    /** Rejects a PostgreSQL role that may not make tables. Since PostgreSQL 15, only the database's owner may by default. */
    private static void requirePermission(SqlTransaction sql) throws SQLException, StoreException {
        if (sql.dialect() == SqlDialect.SQLITE) {
            return;
        }
        Optional<String> wrong = sql.first(
                "SELECT current_user AS role, current_schema() AS place"
                        + " WHERE has_schema_privilege(current_schema(), 'CREATE') IS NOT TRUE",
                row -> {
                    String role = row.text("role");
                    @Nullable String schema = row.textOrNull("place");
                    return schema == null
                            ? "the role " + role + " has no schema for tables; make one of its search_path"
                            : "the role " + role + " may not make tables in the schema " + schema
                                    + "; run GRANT CREATE ON" + " SCHEMA " + schema + " TO " + role
                                    + ", or make it the owner of the database";
                });
        if (wrong.isPresent()) {
            throw new StoreException(wrong.get());
        }
    }

    /** True when a Postern, of any version, has made tables in the database. */
    static boolean hasVersions(SqlTransaction sql) throws SQLException {
        String tables = sql.dialect() == SqlDialect.SQLITE
                ? "SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'schema_version'"
                : "SELECT 'schema_version' AS name WHERE to_regclass('schema_version') IS NOT NULL";
        return sql.first(tables, row -> row.text("name")).isPresent();
    }

    private static int newest(SqlTransaction sql) throws SQLException {
        return sql.first("SELECT COALESCE(max(version), 0) AS newest FROM schema_version", row -> row.count("newest"))
                .orElse(0);
    }

    /** Rejects a schema that a newer program has made, unless all its new steps permit this program. */
    private void checkNewerSchema(SqlTransaction sql) throws SQLException, StoreException {
        int known = files.size();
        Optional<Long> newest = sql.first(
                "SELECT max(version) AS newest FROM schema_version WHERE version > ? HAVING count(*) > 0",
                row -> row.number("newest"),
                known);
        if (newest.isEmpty()) {
            return;
        }
        long oldest = sql.first(
                        "SELECT max(COALESCE(oldest, version)) AS oldest FROM schema_version WHERE version > ?",
                        row -> row.number("oldest"),
                        known)
                .orElseThrow();
        if (oldest > known) {
            throw new StoreException(
                    "the database has schema " + newest.get() + ", made by a newer version, and needs a"
                            + " program that knows schema " + oldest + "; this one knows schema " + known
                            + ": run the newer version, or restore a backup");
        }
        LOG.log(
                Level.INFO,
                "The database has schema {0}, made by a newer version; this one knows schema {1} and can work with it",
                newest.get(),
                known);
    }

    /**
     * Rejects a step while nodes are alive that it does not permit. SQLite has no other nodes, because the home is
     * locked.
     */
    private static void refuseWhileAlive(SqlTransaction sql, String name, int oldest)
            throws SQLException, StoreException {
        int alive = aliveNodes(sql, oldest);
        if (alive > 0) {
            throw new AlreadyInUseException("the schema's step [" + name + "] needs programs that know schema " + oldest
                    + ", and older ones are at work on this database (nodes: " + alive + "); end them first, or wait "
                    + GONE.toMinutes() + " min where they have died");
        }
    }

    /**
     * The number of nodes that were alive a moment ago, and whose programs know no schema from {@code schema} on. SQLite
     * has none beside its home's own Postern.
     */
    static int aliveNodes(SqlTransaction sql, int schema) throws SQLException {
        return sql.dialect() == SqlDialect.SQLITE
                ? 0
                : sql.query(ALIVE, row -> row.text("id"), schema).size();
    }
}
