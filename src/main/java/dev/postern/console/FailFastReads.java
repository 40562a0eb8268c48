package dev.postern.console;

import dev.postern.store.StoreException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * A sequence of database reads that ends with the first one that fails, since each further one would wait just as long. It is
 * for one thread.
 */
final class FailFastReads {

    private static final Logger LOG = System.getLogger(FailFastReads.class.getName());

    private boolean answers = true;

    /** A read of one value. */
    interface DatabaseRead<T> {
        T read() throws StoreException;
    }

    /** The value that {@code figure} reads; null where it is unknown. */
    <T> @Nullable T valueOrNull(DatabaseRead<T> databaseRead) {
        if (!answers) {
            return null;
        }
        try {
            return databaseRead.read();
        } catch (StoreException e) {
            LOG.log(Level.DEBUG, "Value unavailable: {0}", e.getMessage());
            answers = false;
            return null;
        }
    }

    /** Whether the database has answered each read. */
    boolean isDatabaseAnswering() {
        return answers;
    }
}
