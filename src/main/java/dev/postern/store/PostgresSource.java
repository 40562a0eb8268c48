package dev.postern.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * PostgreSQL behind a DataSource: a server's, or the one that {@link OwnPool} makes for a URL. The commit thread borrows one
 * connection for some minutes at a time; each read takes one for itself. The limits of time stay on a pool's connections,
 * so a DataSource should be Postern's own.
 */
final class PostgresSource implements Database {

    private static final String PRODUCT = "PostgreSQL";

    /** A server that says nothing for so long is away, and the connection broken. */
    private static final int SILENCE_MILLIS = 1_800;

    /**
     * A stuck neighbour becomes an error before the sender's patience ends; and {@code synchronous_commit} is raised
     * where the server was told not to wait for its disk, never lowered. Where this node freezes in the midst of a
     * transaction, the server ends that one, so that nobody waits for its locks.
     */
    private static final List<String> BORROWED = List.of(
            "SET lock_timeout = '400ms'",
            "SET statement_timeout = '1500ms'",
            "SET idle_in_transaction_session_timeout = '2s'",
            "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'");

    private static final List<String> GIVEN_BACK = List.of(
            "RESET lock_timeout",
            "RESET statement_timeout",
            "RESET idle_in_transaction_session_timeout",
            "RESET synchronous_commit");

    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final DataSource source;
    private final Runnable closing;

    private PostgresSource(DataSource source, Runnable closing) {
        this.source = source;
        this.closing = closing;
    }

    /**
     * Asks {@code source} what it is, and refuses what is not PostgreSQL.
     *
     * @param closing what ends {@code source}, if it is ours; run here when it is refused
     */
    static PostgresSource of(DataSource source, Runnable closing) throws StoreException {
        boolean taken = false;
        try (Connection connection = source.getConnection()) {
            String product = connection.getMetaData().getDatabaseProductName();
            if (!PRODUCT.equals(product)) {
                throw new StoreException("the DataSource leads to [" + product + "]; bind PostgreSQL, or none and leave"
                        + " database.url out for SQLite in the home");
            }
            taken = true;
            return new PostgresSource(source, closing);
        } catch (SQLException e) {
            throw NotNow.orNever("the DataSource gives no connection: " + e.getMessage(), e);
        } finally {
            if (!taken) {
                closing.run();
            }
        }
    }

    @Override
    public Dialect dialect() {
        return Dialect.POSTGRESQL;
    }

    @Override
    public Connection plain() throws SQLException {
        Connection connection = source.getConnection();
        connection.setAutoCommit(true);
        connection.setNetworkTimeout(Runnable::run, 0);
        return connection;
    }

    @Override
    public Connection writer() throws SQLException {
        return trying(
                connection -> {
                    run(connection, BORROWED);
                    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
                    connection.setAutoCommit(false);
                    return connection;
                },
                true);
    }

    @Override
    public void release(Connection writer) throws SQLException {
        try (writer) {
            if (!writer.isClosed()) {
                writer.setAutoCommit(true);
                run(writer, GIVEN_BACK);
            }
        }
    }

    @Override
    public <T> T read(Unit<T> unit) throws SQLException {
        return trying(connection -> Sql.on(connection, Dialect.POSTGRESQL, unit), false);
    }

    @Override
    public void close() {
        closing.run();
    }

    /**
     * Does {@code use} on a connection. After a server was restarted a pool hands out connections that ended with it, for
     * as long as it takes to notice; so where a connection turns out to be broken, the next one is tried.
     *
     * @param keeps true when what {@code use} returns needs the connection further on
     */
    private <T> T trying(Use<T> use, boolean keeps) throws SQLException {
        long start = System.nanoTime();
        while (true) {
            Connection connection = source.getConnection();
            boolean kept = false;
            try {
                connection.setNetworkTimeout(Runnable::run, SILENCE_MILLIS);
                connection.setAutoCommit(true);
                T result = use.of(connection);
                kept = keeps;
                return result;
            } catch (SQLException e) {
                if (connection.isValid(1) || System.nanoTime() - start > PATIENCE_NANOS) {
                    throw e;
                }
            } finally {
                if (!kept) {
                    connection.close();
                }
            }
        }
    }

    private interface Use<T> {
        T of(Connection connection) throws SQLException;
    }

    private static void run(Connection connection, List<String> statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
