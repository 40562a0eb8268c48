package dev.postern.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A pool of at most four connections for reading. They are opened when first needed, and kept. A read waits for a
 * connection at most two seconds.
 */
final class SqliteReadPool {

    private static final int MOST = 4;
    private static final long PATIENCE_MILLIS = 2_000;

    private final Opener opener;
    private final Semaphore permits = new Semaphore(MOST);
    private final Deque<Reader> idle = new ConcurrentLinkedDeque<>();

    SqliteReadPool(Opener opener) {
        this.opener = opener;
    }

    <T> T read(UnitOfWork<T> unit) throws SQLException {
        if (!acquire()) {
            throw new SQLException(
                    "no connection for reading became free within two seconds, or the database is closed");
        }
        try {
            return readOnOne(unit);
        } finally {
            permits.release();
        }
    }

    private <T> T readOnOne(UnitOfWork<T> unit) throws SQLException {
        Reader pooled = idle.pollFirst();
        Reader reader = pooled != null ? pooled : Reader.on(opener.open());
        boolean sound = false;
        try {
            T result = unit.run(reader.sql());
            sound = true;
            return result;
        } finally {
            if (sound) {
                idle.addFirst(reader);
            } else {
                reader.connection().close();
            }
        }
    }

    private boolean acquire() {
        try {
            return permits.tryAcquire(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Waits for the reads in progress, and closes every connection. Later reads fail. */
    void close() throws SQLException {
        permits.acquireUninterruptibly(MOST);
        for (Reader reader = idle.pollFirst(); reader != null; reader = idle.pollFirst()) {
            reader.connection().close();
        }
    }

    @FunctionalInterface
    interface Opener {
        Connection open() throws SQLException;
    }

    private record Reader(Connection connection, SqlTransaction sql) {

        static Reader on(Connection connection) {
            return new Reader(connection, new SqlTransaction(connection, SqlDialect.SQLITE));
        }
    }
}
