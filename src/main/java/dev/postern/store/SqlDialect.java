package dev.postern.store;

/**
 * An SQL dialect: one of the two databases, and the few differences in their SQL. They share {@code ON CONFLICT},
 * {@code RETURNING}, partial indexes and everything else that the packages use.
 */
public enum SqlDialect {

    /** One writer connection in one process, so rows need no locks. */
    SQLITE("SQLite", "", "", false),

    /** Several nodes, each with a writer connection that it borrows from a pool. */
    POSTGRESQL("PostgreSQL", " FOR UPDATE", " FOR UPDATE SKIP LOCKED", true);

    private final String title;
    private final String forUpdate;
    private final String forUpdateSkipLocked;
    private final boolean shared;

    SqlDialect(String title, String forUpdate, String forUpdateSkipLocked, boolean shared) {
        this.title = title;
        this.forUpdate = forUpdate;
        this.forUpdateSkipLocked = forUpdateSkipLocked;
        this.shared = shared;
    }

    /** The database's name. */
    public String title() {
        return title;
    }

    /**
     * True when other nodes may also read and write the database. Each node, this one included, connects over a
     * network.
     */
    public boolean shared() {
        return shared;
    }

    /**
     * The end of a SELECT that locks its rows until the transaction ends. Waits for rows that other transactions hold.
     */
    public String forUpdate() {
        return forUpdate;
    }

    /** The end of a SELECT that locks its rows until the transaction ends. Skips rows that other transactions hold. */
    public String forUpdateSkipLocked() {
        return forUpdateSkipLocked;
    }
}
