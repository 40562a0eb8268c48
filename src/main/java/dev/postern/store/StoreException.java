package dev.postern.store;

import org.jspecify.annotations.Nullable;

/** The database could not take it or give it. A write that failed so has left nothing behind. */
public final class StoreException extends Exception {

    public StoreException(String message) {
        super(message);
    }

    public StoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
