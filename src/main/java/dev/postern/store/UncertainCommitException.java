package dev.postern.store;

/** The connection broke while a commit was under way: the database may have kept it, or may not. */
public final class UncertainCommitException extends StoreException {

    UncertainCommitException(Throwable fault) {
        super("the connection broke while the database was to commit: " + kindOf(fault), fault);
    }
}
