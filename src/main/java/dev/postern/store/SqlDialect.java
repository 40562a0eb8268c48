package dev.postern.store;

/**
 * The two databases, and the few things in which their SQL differs. They share {@code ON CONFLICT}, {@code RETURNING},
 * partial indexes and everything else that the rooms use.
 */
public enum SqlDialect {

    /** One writer connection in one process, so rows need no locks. */
    SQLITE("SQLite", "", "", false),

    /** Several nodes, each with a writer of its own, which it borrows from a pool. */
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

    /** What the database is called. */
    public String title() {
        return title;
    }

    /** True when other nodes may read and write it too, each of them, like this one, over a network. */
    public boolean shared() {
        return shared;
    }

    /** The end of a SELECT that locks its rows until the transaction ends; waits for rows that others hold. */
    public String forUpdate() {
        return forUpdate;
    }

    /** The end of a SELECT that locks its rows until the transaction ends; passes over rows that others hold. */
    public String forUpdateSkipLocked() {
        return forUpdateSkipLocked;
    }
}
