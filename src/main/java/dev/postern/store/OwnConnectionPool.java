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
 * A pool of at most six connections to a PostgreSQL URL, for servers that bind no DataSource. A caller that needs a
 * connection opens it, and the pool keeps it. The pool tries nothing in the background, so the first caller after an
 * outage gets a connection at once. Parameters in the URL override the defaults here.
 */
final class OwnConnectionPool implements PostgresDatabase.Connections {

    private static final String DRIVER = "org.postgresql.Driver";
    private static final int MOST = 6;
    private static final long PATIENCE_MILLIS = 500;

    /** The SQLState of a wrong password. */
    private static final String WRONG_PASSWORD = "28P01";

    /** The driver's SQLState of a login that needs a password that is missing, and of a server that lacks TLS. */
    private static final String REJECTED = "08004";

    /** The values of {@code sslmode} with which the driver does without TLS where the server lacks it. */
    private static final Set<String> TLS_OPTIONAL = Set.of("disable", "allow", "prefer");

    /** The longest life of a connection. After that a host name that now leads to another server is noticed. */
    private static final long LONGEST_LIFE_NANOS = TimeUnit.MINUTES.toNanos(30);

    /**
     * The default driver properties. Time-outs are in seconds; {@code socketTimeout} bounds each response while a
     * connection is made. Messages leave out the server's details, because those quote rows.
     */
    private static final Map<String, String> OURS = Map.of(
            "connectTimeout", "1",
            "socketTimeout", "1",
            "tcpKeepAlive", "true",
            "reWriteBatchedInserts", "true",
            "logServerErrorDetail", "false",
            "ApplicationName", "postern");

    private final DatabaseUrl.Postgres url;
    private final Properties properties;
    private final Driver driver;
    private final Semaphore permits = new Semaphore(MOST);
    private final Deque<Connection> idle = new ConcurrentLinkedDeque<>();
    /** The times when connections were first limited, which is when they were new, as {@link System#nanoTime}. */
    private final Map<Connection, Long> limitedAt = new ConcurrentHashMap<>();

    private volatile boolean closed;

    private OwnConnectionPool(Driver driver, DatabaseUrl.Postgres url, Properties properties) {
        this.driver = driver;
        this.url = url;
        this.properties = properties;
    }

    /** As {@link #open(String, String, Secret, String)}, for the database of the settings. */
    static OwnConnectionPool open(String url, @Nullable String username, @Nullable Secret password)
            throws StoreException {
        return open(url, username, password, "check database.username and database.password");
    }

    /**
     * Makes a pool with one connection.
     *
     * @param loginAdvice what to check where the login is rejected
     * @throws StoreException with the server's or the driver's message, when the connection fails
     */
    static OwnConnectionPool open(String url, @Nullable String username, @Nullable Secret password, String loginAdvice)
            throws StoreException {
        Properties properties = new Properties();
        properties.putAll(OURS);
        if (username != null) {
            properties.setProperty("user", username);
        }
        if (password != null) {
            properties.setProperty("password", password.reveal());
        }
        DatabaseUrl.Postgres postgres = new DatabaseUrl.Postgres(url);
        properties.putAll(postgres.parameters()); // the driver quotes its URL in messages
        OwnConnectionPool pool = new OwnConnectionPool(JdbcDriverCleanup.load(DRIVER), postgres, properties);
        try {
            pool.giveBack(pool.take(), true);
            return pool;
        } catch (SQLException e) {
            throw StoreUnavailableException.orNever(
                    "cannot open the database [" + postgres.address() + "]: " + e.getMessage()
                            + (isLogin(e, properties) ? " (" + loginAdvice + ")" : ""),
                    e);
        }
    }

    private static boolean isLogin(SQLException e, Properties properties) {
        return WRONG_PASSWORD.equals(e.getSQLState())
                || (REJECTED.equals(e.getSQLState())
                        && !properties.containsKey("password")
                        && !properties.containsKey("ssl")
                        && TLS_OPTIONAL.contains(properties.getProperty("sslmode", "prefer")));
    }

    /** The database's address for people, without user and password. */
    String location() {
        return url.location();
    }

    @Override
    public Connection take() throws SQLException {
        if (!acquire()) {
            throw new SQLTransientConnectionException(
                    "all " + MOST + " connections to the database were in use for " + PATIENCE_MILLIS + " ms");
        }
        boolean taken = false;
        try {
            Connection kept = idle.pollFirst();
            Connection free = kept == null ? connect() : kept;
            taken = true;
            return free;
        } finally {
            if (!taken) {
                permits.release();
            }
        }
    }

    /** Costs a round trip when {@code connection} is new; the limit stays. */
    @Override
    public void limit(Connection connection) throws SQLException {
        if (limitedAt.putIfAbsent(connection, System.nanoTime()) == null) {
            PostgresDatabase.run(connection, PostgresDatabase.LIMITED);
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
                if (closed && idle.remove(connection)) { // closed meanwhile
                    connection.close();
                }
            } else {
                limitedAt.remove(connection);
                connection.close();
            }
        } finally {
            permits.release();
        }
    }

    /** Closes the idle connections. The others are closed when they are returned. */
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
        Connection connection = driver.connect(url.address(), properties);
        if (connection == null) {
            throw new SQLException("the driver does not know the URL");
        }
        return connection;
    }

    private boolean isOld(Connection connection) {
        Long since = limitedAt.get(connection);
        return since != null && System.nanoTime() - since > LONGEST_LIFE_NANOS;
    }
}
