package dev.postern.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/** A test of step 13 of the schema, which gives each agent its own copy of a shared session. */
class AgentSessionsTest {

    private static final InstantSource CLOCK = InstantSource.system();
    private static final List<String> BEFORE = SchemaMigrator.files().subList(0, 11);

    @TempDir
    Path home;

    @Test
    void givesEachAgentOfASessionItsOwnOnSqlite() throws Exception {
        SqliteDriver.load(home);
        SqliteDatabase database = SqliteDatabase.open(home.resolve("new.db"));
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + home.resolve("new.db"));
        new SchemaMigrator(BEFORE, CLOCK).migrate(database);
        shared(source);

        new SchemaMigrator(CLOCK).migrate(database);

        assertApart(source);
    }

    @Test
    void givesEachAgentOfASessionItsOwnOnPostgres() throws Exception {
        String url = TestDatabases.newPostgresUrl();
        PostgresDatabase database = PostgresDatabase.of(TestDatabases.postgresSource(url), "test");
        new SchemaMigrator(BEFORE, CLOCK).migrate(database);
        shared(TestDatabases.postgresSource(url));

        new SchemaMigrator(CLOCK).migrate(database);

        assertApart(TestDatabases.postgresSource(url));
    }

    /**
     * Writes sessions of before step 13. Agent {@code public} has had a turn in a session of {@code main}'s and in its
     * main session, and has waiting rows in both its own and that one.
     */
    private static void shared(DataSource source) throws SQLException {
        change(
                source,
                session("hook:deals", "public", 4, "2", "NULL"),
                session("hook:own", "public", 1, "5", "NULL"),
                session("hook:busy", "public", 2, "7", "'node_1'"),
                session("main:main", "public", 3, "NULL", "NULL"),
                session("main:public", "public", 1, "NULL", "NULL"),
                run("run_1", "hook:deals", 1, "main", "succeeded", 1),
                run("run_2", "hook:deals", 2, "public", "succeeded", 1),
                run("run_3", "hook:deals", 3, "main", "queued", 2),
                run("run_4", "hook:deals", 4, "public", "queued", 3),
                run("run_5", "hook:own", 1, "public", "queued", 5),
                run("run_6", "main:main", 1, "public", "succeeded", 1),
                run("run_7", "hook:busy", 1, "public", "running", 6),
                run("run_8", "hook:busy", 2, "public", "queued", 7),
                run("run_9", "agent:public:hook:deals", 1, "main", "succeeded", 1),
                turn("hook:deals", 1, "run_1", "of main"),
                turn("hook:deals", 3, "run_2", "of public"),
                turn("hook:deals", 5, "run_gone", "of nobody knows whom"),
                turn("hook:busy", 1, "run_7", "of public, busy"),
                turn("main:main", 1, "run_6", "of public in main"),
                turn("main:main", 3, "beat_1", "a heartbeat of main"),
                turn("main:public", 1, "beat_2", "a heartbeat of public"),
                turn("agent:public:hook:deals", 1, "run_9", "of main under another name"));
    }

    private static void assertApart(DataSource source) throws SQLException {
        assertThat(rows(source, "SELECT session_key || ' ' || text FROM turn ORDER BY session_key, seq"))
                .containsExactlyInAnyOrder(
                        "hook:deals of main",
                        "agent:public:hook:deals of public",
                        "agent:public:hook:busy of public, busy",
                        "agent:public:main:main of public in main",
                        "agent:main:agent:public:hook:deals of main under another name",
                        "main:main a heartbeat of main",
                        "main:public a heartbeat of public");
        assertThat(rows(source, "SELECT id || ' ' || session_key FROM run ORDER BY id"))
                .containsExactly(
                        "run_1 hook:deals",
                        "run_2 agent:public:hook:deals",
                        "run_3 hook:deals",
                        "run_4 agent:public:hook:deals",
                        "run_5 agent:public:hook:own",
                        "run_6 agent:public:main:main",
                        "run_7 hook:busy",
                        "run_8 hook:busy",
                        "run_9 agent:main:agent:public:hook:deals");
        assertThat(rows(
                        source,
                        "SELECT key || ' ' || agent_id || ' ' || tail || ' ' || COALESCE(ready_at, 0) FROM session"))
                .containsExactlyInAnyOrder(
                        "hook:deals main 3 2",
                        "agent:public:hook:deals public 4 3",
                        "agent:public:hook:own public 1 5",
                        "hook:busy public 2 7",
                        "main:main main 3 0",
                        "main:public public 1 0",
                        "agent:public:main:main public 1 0",
                        "agent:main:agent:public:hook:deals main 1 0");
    }

    private static String session(String key, String agent, long tail, String readyAt, String owner) {
        return "INSERT INTO session (key, agent_id, tail, ready_at, owner, used_at) VALUES ('" + key + "', '" + agent
                + "', " + tail + ", " + readyAt + ", " + owner + ", 9)";
    }

    private static String run(String id, String key, long seq, String agent, String state, long at) {
        String finished = state.equals("succeeded") ? "9" : "NULL";
        return "INSERT INTO run (id, session_key, seq, agent_id, state, attempts, message, name, wake_mode, deliver, channel,"
                + " model, timeout_ms, hook, trusted, body_bytes, body_sha256, accepted_at, finished_at) VALUES ('" + id
                + "', '" + key + "', " + seq + ", '" + agent + "', '" + state
                + "', 0, 'm', 'n', 'now', 1, 'last', 'x/y', 1, 'h', 0, 0, '', " + at + ", " + finished + ")";
    }

    private static String turn(String key, long seq, String run, String text) {
        return "INSERT INTO turn (session_key, seq, run_id, role, text, created_at) VALUES ('" + key + "', " + seq
                + ", '" + run + "', 'user', '" + text + "', 9)";
    }

    private static void change(DataSource source, String... statements) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement change = connection.createStatement()) {
            for (String statement : statements) {
                change.executeUpdate(statement);
            }
        }
    }

    private static List<String> rows(DataSource source, String select) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(select)) {
            while (found.next()) {
                rows.add(found.getString(1));
            }
        }
        return rows;
    }
}
