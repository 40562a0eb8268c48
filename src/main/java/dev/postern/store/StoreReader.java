package dev.postern.store;

/** A reader of the database: the {@link Store} of a running Postern, or a {@link ReadOnlyStore} beside it. */
public interface StoreReader {

    /** Runs {@code unit}, which only reads. It sees committed data. */
    <T> T read(UnitOfWork<T> unit) throws StoreException;
}
