package dev.postern.store;

import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * A connection source that borrows from the DataSource of the servlet container, which manages its connections itself.
 * A separate thread returns broken connections, because the thread that found one broken must report it in time.
 * Tomcat's pool opens a replacement before it returns, however long that takes.
 */
final class ContainerDataSource implements PostgresDatabase.Connections {

    private static final System.Logger LOG = System.getLogger(ContainerDataSource.class.getName());
    private static final long IDLE_SECONDS = 5;
    private static final long LONGEST_END_SECONDS = 10;

    private final DataSource source;
    private final ThreadPoolExecutor closing;

    /** @param context the web app's name, for the name of the thread */
    ContainerDataSource(DataSource source, String context) {
        this.source = source;
        this.closing =
                new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "postern-" + context + "-broken");
                    thread.setDaemon(true);
                    return thread;
                });
        closing.allowCoreThreadTimeOut(true);
        closing.setRejectedExecutionHandler((task, ended) -> task.run());
    }

    @Override
    public Connection take() throws SQLException {
        return source.getConnection();
    }

    /** Costs a round trip, since nothing shows whether the server's pool has given the connection before. */
    @Override
    public void limit(Connection connection) throws SQLException {
        PostgresDatabase.run(connection, PostgresDatabase.LIMITED);
    }

    @Override
    public Connection takeForGood() throws SQLException {
        return take();
    }

    @Override
    public void giveBack(Connection connection, boolean sound) throws SQLException {
        if (sound && isFreed(connection)) {
            connection.close();
        } else {
            closing.execute(() -> drop(connection));
        }
    }

    /** Stops the thread that returns broken connections. The DataSource stays the server's. */
    @Override
    public void close() {
        closing.shutdown();
        try {
            if (!closing.awaitTermination(LONGEST_END_SECONDS, TimeUnit.SECONDS)) {
                LOG.log(Level.WARNING, "Not all broken connections were returned to the server's pool in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Takes the limit from {@code connection}, because others may use it too; false when it broke meanwhile. */
    private static boolean isFreed(Connection connection) {
        try {
            PostgresDatabase.run(connection, PostgresDatabase.FREED);
            return true;
        } catch (SQLException e) {
            LOG.log(Level.DEBUG, "A connection broke before its return: {0}", StoreException.kindOf(e));
            return false;
        }
    }

    private static void drop(Connection broken) {
        try {
            broken.close();
        } catch (SQLException e) {
            LOG.log(Level.DEBUG, "Closing a broken connection failed", e);
        }
    }
}
