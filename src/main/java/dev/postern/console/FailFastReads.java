package dev.postern.console;

import dev.postern.store.StoreException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * Asks the database for one figure after the other, until it does not answer: each further one would wait for it as long. For
 * one thread.
 */
final class FailFastReads {

    private static final Logger LOG = System.getLogger(FailFastReads.class.getName());

    private boolean answers = true;

    /** One figure. */
    interface Figure<T> {
        T read() throws StoreException;
    }

    /** What {@code figure} is; null where it is not known. */
    <T> @Nullable T about(Figure<T> figure) {
        if (!answers) {
            return null;
        }
        try {
            return figure.read();
        } catch (StoreException e) {
            LOG.log(Level.DEBUG, "A figure is not known: {0}", e.getMessage());
            answers = false;
            return null;
        }
    }

    /** False when a figure could not be read. */
    boolean isAnswered() {
        return answers;
    }
}
