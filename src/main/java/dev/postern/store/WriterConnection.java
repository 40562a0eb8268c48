package dev.postern.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;

/** The commit thread's connection, with its prepared statements. */
final class WriterConnection {

    private static final int VALIDATION_SECONDS = 1;

    private final Database database;
    private final Connection connection;
    private final SqlTransaction sql;
    private final Instant since;

    private WriterConnection(Database database, Connection connection, Instant since) {
        this.since = since;
        this.database = database;
        this.connection = connection;
        this.sql = new SqlTransaction(connection, database.dialect());
    }

    static WriterConnection open(Database database, Instant now) throws SQLException {
        return new WriterConnection(database, database.writer(), now);
    }

    /** The time since the connection was opened. */
    Duration age(Instant now) {
        return Duration.between(since, now);
    }

    SqlTransaction sql() {
        return sql;
    }

    void commit() throws SQLException {
        connection.commit();
    }

    void rollback() throws SQLException {
        connection.rollback();
    }

    /** True while statements can be expected to reach the database. */
    boolean usable() throws SQLException {
        return !connection.isClosed() && connection.isValid(VALIDATION_SECONDS);
    }

    void close() throws SQLException {
        try {
            sql.close();
        } finally {
            database.release(connection);
        }
    }
}
