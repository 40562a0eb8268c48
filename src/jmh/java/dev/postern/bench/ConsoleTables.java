package dev.postern.bench;

import dev.postern.model.IdGenerator;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/** The rows of a month of use, put into the database of a Postern that is stopped. */
final class ConsoleTables {

    private static final int BATCH = 5_000;
    private static final int HOOKS = 20;
    private static final int SESSIONS = 20_000;
    private static final int DELIVERIES = 50_000;
    private static final int NODES = 3;

    /** Among this number of requests one is refused, and among this number of runs one has failed. */
    private static final int ONE_REFUSED = 10;

    private static final Duration SPAN = Duration.ofDays(30);
    private static final String[] COUNTED = {"accepted", "refused", "run_succeeded", "run_failed"};
    private static final String DURATIONS = "36:12 37:40 38:71 39:44 40:20 41:9 42:3 47:1 52:1";

    private final Connection connection;
    private final Instant now;
    private Instant moment;
    private final IdGenerator ids;

    private ConsoleTables(Connection connection) {
        this.connection = connection;
        this.now = Instant.now();
        this.moment = now;
        this.ids = new IdGenerator(() -> moment);
    }

    /** Adds {@code requests} requests and {@code runs} runs, evenly over the last 30 days. */
    static void fill(String url, int requests, int runs) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url)) {
            connection.setAutoCommit(false);
            ConsoleTables tables = new ConsoleTables(connection);
            tables.addSessions();
            tables.addRuns(runs);
            tables.addRequests(requests);
            tables.addDeliveries();
            tables.addCounts();
            connection.commit();
            if (url.startsWith("jdbc:postgresql:")) {
                connection.setAutoCommit(true);
                try (Statement statement = connection.createStatement()) {
                    statement.execute("ANALYZE"); // as the database does itself after a while
                }
            }
        }
    }

    private static String hook(int number) {
        return "hook-" + number % HOOKS;
    }

    /** The time of row {@code i} of {@code rows}. */
    private long at(int i, int rows) {
        moment = now.minus(SPAN).plusMillis(SPAN.toMillis() * i / rows);
        return moment.toEpochMilli();
    }

    private interface Row {
        void set(PreparedStatement insert, int i) throws SQLException;
    }

    private void add(String sql, int rows, Row row) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(sql)) {
            for (int i = 0; i < rows; i++) {
                row.set(insert, i);
                insert.addBatch();
                if (i % BATCH == BATCH - 1) {
                    insert.executeBatch();
                }
            }
            insert.executeBatch();
        }
    }

    private void addSessions() throws SQLException {
        add("INSERT INTO session (key, agent_id, tail, used_at) VALUES (?, 'main', 10, ?)", SESSIONS, (insert, i) -> {
            insert.setString(1, "hook:bench:" + i);
            insert.setLong(2, at(i, SESSIONS));
        });
    }

    private void addRuns(int runs) throws SQLException {
        add(
                "INSERT INTO run (id, session_key, seq, agent_id, state, attempts, message, name, wake_mode, deliver,"
                        + " channel, model, timeout_ms, hook, trusted, body_bytes, body_sha256, accepted_at, started_at,"
                        + " finished_at, reply, error) VALUES (?, ?, ?, 'main', ?, 1, 'bench', 'Bench', 'now', 0, 'last', ?,"
                        + " 60000, ?, 0, 20, '', ?, ?, ?, 'bench', ?)",
                runs,
                (insert, i) -> {
                    long at = at(i, runs);
                    boolean failed = i % ONE_REFUSED == 0;
                    insert.setString(1, ids.run().value());
                    insert.setString(2, "hook:bench:" + i % SESSIONS);
                    insert.setLong(3, i);
                    insert.setString(4, failed ? "failed" : "succeeded");
                    insert.setString(5, i % 2 == 0 ? "offline/echo" : "openai/bench");
                    insert.setString(6, hook(i));
                    insert.setLong(7, at);
                    insert.setLong(8, at);
                    insert.setLong(9, at + i % 60_000);
                    insert.setString(10, failed ? "The provider answered 500 to attempt " + i : null);
                });
    }

    private void addRequests(int requests) throws SQLException {
        add(
                "INSERT INTO request (id, at, node, client, credential, hook, mapping, body_bytes, status, code, detail,"
                        + " micros, became) VALUES (?, ?, 'bench', '192.0.2.1', 'hooks.token', ?, ?, 2048, ?, ?, ?, ?, ?)",
                requests,
                (insert, i) -> {
                    boolean refused = i % ONE_REFUSED == 0;
                    insert.setLong(2, at(i, requests));
                    insert.setString(1, ids.request());
                    insert.setString(3, hook(i));
                    insert.setString(4, "mapping-" + i % HOOKS);
                    insert.setInt(5, refused ? 422 : 202);
                    insert.setString(6, refused ? "mapping_failed" : "accepted");
                    insert.setString(7, refused ? "field number " + i : "");
                    insert.setLong(8, i % 1_000);
                    insert.setString(9, refused ? "" : ids.run().value());
                });
    }

    private void addDeliveries() throws SQLException {
        add(
                "INSERT INTO delivery (id, agent_id, channel, recipient, text, state, attempts, created_at, finished_at, seq)"
                        + " VALUES (?, 'main', 'team', ?, 'bench', ?, 1, ?, ?, ?)",
                DELIVERIES,
                (insert, i) -> {
                    long at = at(i, DELIVERIES);
                    insert.setString(1, ids.of("dlv"));
                    insert.setString(2, "C" + i % 100);
                    insert.setString(3, i % ONE_REFUSED == 0 ? "failed" : "delivered");
                    insert.setLong(4, at);
                    insert.setLong(5, at + 100);
                    insert.setLong(6, at);
                });
    }

    /** Adds what {@link #NODES} nodes have counted in each period that is kept. */
    private void addCounts() throws SQLException {
        addCounts(Duration.ofMinutes(1), Duration.ofHours(2));
        addCounts(Duration.ofMinutes(15), Duration.ofHours(26));
        addCounts(Duration.ofHours(2), Duration.ofDays(8));
    }

    private void addCounts(Duration step, Duration kept) throws SQLException {
        int series = NODES * HOOKS * COUNTED.length;
        int periods = (int) kept.dividedBy(step);
        add(
                "INSERT INTO period_count (step, start, writer, kind, hook, mapping, number, latest, durations)"
                        + " VALUES (?, ?, ?, ?, ?, '', 201, ?, ?)",
                periods * series,
                (insert, i) -> {
                    long start = now.toEpochMilli()
                            - Math.floorMod(now.toEpochMilli(), step.toMillis())
                            - step.toMillis() * (i / series);
                    int number = i % series;
                    insert.setLong(1, step.toMillis());
                    insert.setLong(2, start);
                    insert.setString(3, String.format(Locale.ROOT, "node-%d", number % NODES));
                    insert.setString(4, COUNTED[number / NODES % COUNTED.length]);
                    insert.setString(5, hook(number / NODES / COUNTED.length));
                    insert.setLong(6, start);
                    insert.setString(7, DURATIONS);
                });
    }
}
