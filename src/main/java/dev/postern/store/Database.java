package dev.postern.store;

import java.sql.Connection;
import java.sql.SQLException;

/** A source of connections: Postern's own file, or a DataSource. */
interface Database extends AutoCloseable {

    SqlDialect dialect();

    /** The database's name for people, without a password: {@code SQLite in /home/data/postern.db}. */
    String location();

    /** A connection that waits as long as its statements need, in auto-commit mode; the caller closes it. */
    Connection plain() throws SQLException;

    /** A connection for the commit thread: auto-commit is off, and a commit returns when it is on disk. */
    Connection writer() throws SQLException;

    /** Returns a connection from {@link #writer}. */
    void release(Connection writer) throws SQLException;

    /** Runs {@code unit} on a connection for reading. */
    <T> T read(UnitOfWork<T> unit) throws SQLException;

    /** Closes every connection. The writer must have been released before. */
    @Override
    void close() throws SQLException;
}
