package dev.postern.store;

/** The exception for a connection that broke during a commit: the database may or may not have kept it. */
public final class UncertainCommitException extends StoreException {

    UncertainCommitException(Throwable fault) {
        super("the connection broke while the database was to commit: " + kindOf(fault), fault);
    }
}
