package dev.postern.store;

/** The connection broke while a commit was under way: the database may have kept it, or may not. */
public final class DoubtfulCommit extends StoreException {

    DoubtfulCommit(Throwable fault) {
        super("the connection broke while the database was to commit: " + kindOf(fault), fault);
    }
}
