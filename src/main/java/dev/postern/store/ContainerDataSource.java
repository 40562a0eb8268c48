package dev.postern.store;

import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * A server's DataSource, which looks after its connections by itself. A broken one is given back by a thread of ours, for whoever
 * found it broken is to say so in time: Tomcat's pool opens another in its place before it returns, which takes as long as
 * it takes.
 */
final class ContainerDataSource implements PostgresDatabase.Connections {

    private static final System.Logger LOG = System.getLogger(ContainerDataSource.class.getName());
    private static final long IDLE_SECONDS = 5;
    private static final long LONGEST_END_SECONDS = 10;

    private final DataSource source;
    private final ThreadPoolExecutor closing;

    /** @param context names the thread */
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

    @Override
    public Connection takeForGood() throws SQLException {
        return take();
    }

    @Override
    public void giveBack(Connection connection, boolean sound) throws SQLException {
        if (sound) {
            connection.close();
        } else {
            closing.execute(() -> drop(connection));
        }
    }

    /** The DataSource stays the server's. */
    @Override
    public void close() {
        closing.shutdown();
        try {
            if (!closing.awaitTermination(LONGEST_END_SECONDS, TimeUnit.SECONDS)) {
                LOG.log(Level.WARNING, "Broken connections are still being given back to the server");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void drop(Connection broken) {
        try {
            broken.close();
        } catch (SQLException e) {
            LOG.log(Level.DEBUG, "A broken connection was not taken back", e);
        }
    }
}
