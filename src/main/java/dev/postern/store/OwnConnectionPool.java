package dev.postern.store;

import dev.postern.model.DatabaseUrl;
import dev.postern.model.Secret;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Deque;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * At most six connections to a PostgreSQL URL, where the server binds no DataSource: opened by who needs one, and kept. Nothing
 * is tried in the background, so the first who asks after an outage has a connection at once. What the URL's own parameters
 * say wins over ours.
 */
final class OwnConnectionPool implements PostgresDatabase.Connections {

    private static final String DRIVER = "org.postgresql.Driver";
    private static final int MOST = 6;
    private static final long PATIENCE_MILLIS = 500;

    /** Wrong password; a login that asks for one which is missing. */
    private static final Set<String> LOGIN_STATES = Set.of("28P01", "08004");

    /** A name that leads to another server by now is noticed after so long. */
    private static final long LONGEST_LIFE_NANOS = TimeUnit.MINUTES.toNanos(30);

    /**
     * Time-outs in seconds, the second for each answer while a connection is made; the server's details are left out of
     * messages, since they quote rows.
     */
    private static final Map<String, String> OURS = Map.of(
            "connectTimeout", "1",
            "socketTimeout", "1",
            "tcpKeepAlive", "true",
            "reWriteBatchedInserts", "true",
            "logServerErrorDetail", "false",
            "ApplicationName", "postern");

    private final String url;
    private final Properties properties;
    private final Driver driver;
    private final Semaphore permits = new Semaphore(MOST);
    private final Deque<Connection> idle = new ConcurrentLinkedDeque<>();
    private final Map<Connection, Long> openedAt = new ConcurrentHashMap<>();
    private volatile boolean closed;

    private OwnConnectionPool(Driver driver, String url, Properties properties) {
        this.driver = driver;
        this.url = url;
        this.properties = properties;
    }

    /** Makes a pool and one connection; fails with what the server or the driver says. */
    static OwnConnectionPool open(String url, @Nullable String username, @Nullable Secret password)
            throws StoreException {
        Properties properties = new Properties();
        properties.putAll(OURS);
        if (username != null) {
            properties.setProperty("user", username);
        }
        if (password != null) {
            properties.setProperty("password", password.reveal());
        }
        OwnConnectionPool pool = new OwnConnectionPool(JdbcDriverCleanup.load(DRIVER), url, properties);
        try {
            pool.giveBack(pool.take(), true);
            return pool;
        } catch (SQLException e) {
            throw StoreUnavailableException.orNever(
                    "cannot open the database [" + withoutQuery(url) + "]: " + e.getMessage() + advice(e), e);
        }
    }

    private static String advice(SQLException e) {
        return LOGIN_STATES.contains(String.valueOf(e.getSQLState()))
                ? " (check database.username and database.password)"
                : "";
    }

    /** Where it leads to, for a person. */
    String location() {
        return new DatabaseUrl.Postgres(url).location();
    }

    @Override
    public Connection take() throws SQLException {
        if (!acquire()) {
            throw new SQLTransientConnectionException("no connection became free within " + PATIENCE_MILLIS + " ms");
        }
        boolean taken = false;
        try {
            Connection kept = idle.pollFirst();
            if (kept == null) {
                kept = connect();
                openedAt.put(kept, System.nanoTime());
            }
            taken = true;
            return kept;
        } finally {
            if (!taken) {
                permits.release();
            }
        }
    }

    @Override
    public Connection takeForGood() throws SQLException {
        return connect();
    }

    @Override
    public void giveBack(Connection connection, boolean sound) throws SQLException {
        try {
            if (sound && !closed && !connection.isClosed() && !isOld(connection)) {
                idle.addFirst(connection);
            } else {
                openedAt.remove(connection);
                connection.close();
            }
        } finally {
            permits.release();
        }
    }

    /** Closes what nobody has; the rest is closed when it is given back. */
    @Override
    public void close() throws SQLException {
        closed = true;
        for (Connection each = idle.pollFirst(); each != null; each = idle.pollFirst()) {
            each.close();
        }
    }

    private boolean acquire() throws SQLException {
        try {
            return permits.tryAcquire(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLTransientConnectionException("interrupted while waiting for a connection", e);
        }
    }

    private Connection connect() throws SQLException {
        Connection connection = driver.connect(url, properties);
        if (connection == null) {
            throw new SQLException("the driver does not know the URL");
        }
        return connection;
    }

    private boolean isOld(Connection connection) {
        Long since = openedAt.get(connection);
        return since == null || System.nanoTime() - since > LONGEST_LIFE_NANOS;
    }

    /** {@code url} as it may stand in a message: a query part may hold a password. */
    static String withoutQuery(String url) {
        int query = url.indexOf('?');
        return query < 0 ? url : url.substring(0, query);
    }
}
