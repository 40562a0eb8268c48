package dev.postern.app;

import java.time.Instant;
import java.time.InstantSource;

/**
 * The clock of all times that nodes compare, those in ids among them: this machine's until the database is open, then
 * the store's, which is the database's where nodes share it.
 */
final class SharedClock implements InstantSource {

    private volatile InstantSource source;

    /** @param own this machine's clock */
    SharedClock(InstantSource own) {
        this.source = own;
    }

    /** Takes the time from {@code store} from now on. */
    void follow(InstantSource store) {
        source = store;
    }

    @Override
    public Instant instant() {
        return source.instant();
    }

    @Override
    public long millis() {
        return source.millis();
    }
}
