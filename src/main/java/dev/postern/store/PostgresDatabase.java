package dev.postern.store;

import dev.postern.model.DatabaseUrl;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL database behind a server's DataSource or an {@link OwnConnectionPool}. The commit thread borrows one
 * connection for some minutes at a time; each read borrows one for itself. The network time-out stays on a pool's
 * connections, so a DataSource should be Postern's own.
 *
 * <p>A reader that has a connection learns within two seconds that the database is away. Readers in the half second after
 * that learn it at once. So a response that needs several reads is in time too. A statement that takes too long, and a
 * pool that is full, concern one reader alone.
 */
final class PostgresDatabase implements Database {

    private static final String PRODUCT = "PostgreSQL";

    /**
     * The longest wait for a response in milliseconds. After that the server counts as away, and the connection as
     * broken.
     */
    private static final int SILENCE_MILLIS = 1_700;

    private static final int SHORTEST_SILENCE_MILLIS = 200;

    /** The SQLState of a connection that could not be made. */
    private static final String CONNECTION_FAILURE = "08001";

    private static final String CONNECTION_CLASS = "08";

    /** The SQLStates that a server sends to its clients when it stops (57P01 to 57P05). */
    private static final String SHUTDOWN = "57P";

    /** The SQLState of a write in a session that may only read. */
    private static final String READ_ONLY = "25006";

    /** The setting of a limited connection: a statement that takes too long fails before the server counts as away. */
    static final List<String> LIMITED = List.of("SET statement_timeout = '1500ms'");

    static final List<String> FREED = List.of("RESET statement_timeout");

    /**
     * The settings of the writer's connection. A lock that another transaction holds too long becomes an error before the
     * sender loses patience. {@code synchronous_commit} is raised where the server was told not to wait for its disk,
     * and never lowered. When this node freezes during a transaction, the server ends that transaction, so no other
     * node waits for its locks.
     */
    private static final List<String> BORROWED = List.of(
            "SET lock_timeout = '400ms'",
            "SET idle_in_transaction_session_timeout = '2s'",
            "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'");

    private static final List<String> GIVEN_BACK =
            List.of("RESET lock_timeout", "RESET idle_in_transaction_session_timeout", "RESET synchronous_commit");

    /**
     * The time in which a broken connection is replaced by another, counted from the first connection, in nanoseconds.
     */
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final long AWAY_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Connections connections;
    private final String location;
    private volatile boolean away;
    /** The time when the database was last found to be away, as {@link System#nanoTime}. */
    private volatile long awayAt;

    private PostgresDatabase(Connections connections, String location) {
        this.connections = connections;
        this.location = location;
    }

    /** A source that connections are borrowed from. */
    interface Connections extends AutoCloseable {

        Connection take() throws SQLException;

        /** Sets {@link #LIMITED} for {@code connection}, which was taken, where it isn't set yet. */
        void limit(Connection connection) throws SQLException;

        /** Opens a connection that the caller closes instead of returning it. */
        Connection takeForGood() throws SQLException;

        /**
         * Returns {@code connection}.
         *
         * @param sound false when it is known to be broken, or may be
         */
        void giveBack(Connection connection, boolean sound) throws SQLException;

        @Override
        void close() throws SQLException;
    }

    /**
     * Connects to {@code source}, which stays the server's.
     *
     * @throws StoreException when it gives no connection, or its product is not PostgreSQL
     */
    static PostgresDatabase of(DataSource source, String context) throws StoreException {
        try (Connection connection = source.getConnection()) {
            String product = connection.getMetaData().getDatabaseProductName();
            if (!PRODUCT.equals(product)) {
                throw new StoreException("the DataSource leads to [" + product + "]; bind PostgreSQL, or none and leave"
                        + " database.url out for SQLite in the home");
            }
            String url = String.valueOf(connection.getMetaData().getURL());
            return new PostgresDatabase(
                    new ContainerDataSource(source, context),
                    url.startsWith(DatabaseUrl.POSTGRES) ? new DatabaseUrl.Postgres(url).location() : PRODUCT);
        } catch (SQLException e) {
            throw StoreUnavailableException.orNever(
                    "the DataSource gives no connection: " + StoreException.messageOf(e), e);
        }
    }

    /** The database behind {@code pool}, which is closed together with the database. */
    static PostgresDatabase of(OwnConnectionPool pool) {
        return new PostgresDatabase(pool, pool.location());
    }

    @Override
    public SqlDialect dialect() {
        return SqlDialect.POSTGRESQL;
    }

    @Override
    public String location() {
        return location;
    }

    @Override
    public Connection plain() throws SQLException {
        Connection connection = connections.takeForGood();
        connection.setAutoCommit(true);
        connection.setNetworkTimeout(Runnable::run, 0);
        return connection;
    }

    @Override
    public Connection writer() throws SQLException {
        return withRetry(
                connection -> {
                    run(connection, BORROWED);
                    requireWritable(connection);
                    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
                    connection.setAutoCommit(false);
                    return connection;
                },
                true);
    }

    @Override
    public void release(Connection writer) throws SQLException {
        boolean sound = false;
        try {
            writer.setAutoCommit(true); // throws if it is broken; isClosed() would make some pools open another
            run(writer, GIVEN_BACK);
            sound = true;
        } finally {
            connections.giveBack(writer, sound);
        }
    }

    @Override
    public <T> T read(UnitOfWork<T> unit) throws SQLException {
        if (away && System.nanoTime() - awayAt < AWAY_NANOS) {
            throw new SQLTransientConnectionException("the database was away a moment ago", CONNECTION_FAILURE);
        }
        return withRetry(connection -> SqlTransaction.on(connection, SqlDialect.POSTGRESQL, unit), false);
    }

    @Override
    public void close() throws SQLException {
        connections.close();
    }

    /**
     * Runs {@code use} on a connection. After a server restart a pool hands out dead connections until it notices. So
     * when a connection turns out to be broken, the next one is tried.
     *
     * @param keeps true when the result of {@code use} needs the connection afterwards
     */
    private <T> T withRetry(Use<T> use, boolean keeps) throws SQLException {
        Connection connection = take();
        long start = System.nanoTime();
        while (true) {
            boolean sound = false;
            boolean kept = false;
            try {
                connection.setNetworkTimeout(Runnable::run, keeps ? SILENCE_MILLIS : silenceLeft(start));
                connection.setAutoCommit(true);
                connections.limit(connection);
                T result = use.of(connection);
                away = false;
                sound = true;
                kept = keeps;
                return result;
            } catch (SQLException e) {
                if (READ_ONLY.equals(e.getSQLState())) {
                    connection.abort(Runnable::run); // so that a server's pool does not keep it
                    throw e;
                }
                boolean late = System.nanoTime() - start > PATIENCE_NANOS;
                sound = late ? !hasBroken(e) : connection.isValid(1);
                if (late && !sound) {
                    markAway();
                }
                if (late || sound) {
                    throw e;
                }
            } finally {
                if (!kept) {
                    connections.giveBack(connection, sound);
                }
            }
            connection = take();
        }
    }

    /**
     * True when {@code failure} shows a broken connection. It goes by the SQLState, because a pool may open another
     * connection as soon as this one is asked whether it is closed.
     */
    private static boolean hasBroken(SQLException failure) {
        @Nullable String state = failure.getSQLState();
        return state == null || state.startsWith(CONNECTION_CLASS) || state.startsWith(SHUTDOWN);
    }

    private Connection take() throws SQLException {
        try {
            return connections.take();
        } catch (SQLException e) {
            if (hasFailedToConnect(e)) {
                markAway();
            }
            throw e;
        }
    }

    /** False where a pool says no more than that all its connections are in use, which has no SQLState. */
    private static boolean hasFailedToConnect(SQLException failure) {
        return SqlCauseChain.mostTelling(failure) instanceof SQLException told && told.getSQLState() != null;
    }

    private void markAway() {
        awayAt = System.nanoTime();
        away = true;
    }

    /**
     * The rest of the time that the server has for its response, in milliseconds, counted from the first connection.
     */
    private static int silenceLeft(long start) {
        long passed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        return (int) Math.max(SHORTEST_SILENCE_MILLIS, SILENCE_MILLIS - passed);
    }

    private interface Use<T> {
        T of(Connection connection) throws SQLException;
    }

    /**
     * Rejects a session that may only read, as on a standby. It never writes, although a session that begins later may, so its
     * connection must not be used again.
     */
    private static void requireWritable(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW transaction_read_only")) {
            if (row.next() && row.getString(1).equals("on")) {
                throw new SQLTransientConnectionException("the database is read-only", READ_ONLY);
            }
        }
    }

    static void run(Connection connection, List<String> statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
