package dev.postern.store;

import java.sql.Connection;
import java.sql.SQLException;

/** Where connections come from: a file of our own, or somebody's DataSource. */
interface Database extends AutoCloseable {

    SqlDialect dialect();

    /** What a person calls it, without a password: {@code SQLite in /home/data/postern.db}. */
    String location();

    /** A connection that waits as long as its statements need, in auto-commit mode; the caller closes it. */
    Connection plain() throws SQLException;

    /** A connection for the commit thread: auto-commit is off, and a commit returns when it is on disk. */
    Connection writer() throws SQLException;

    /** Takes back what {@link #writer} gave. */
    void release(Connection writer) throws SQLException;

    /** Runs {@code unit} on a connection for reading. */
    <T> T read(UnitOfWork<T> unit) throws SQLException;

    /** Closes every connection; the writer was released before. */
    @Override
    void close() throws SQLException;
}
