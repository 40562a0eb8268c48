package dev.postern.app;

import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;

/** A stack of open resources that closes the latest first. One that fails to close does not keep the others open. */
final class CloseableStack implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(CloseableStack.class.getName());

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    /** Adds {@code part}, which is closed before those that were added earlier. */
    <T extends AutoCloseable> T with(T part) {
        opened.push(part);
        return part;
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            AutoCloseable part = opened.pop();
            try {
                part.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                LOG.log(Level.WARNING, "Interrupted while closing; closing the rest without waiting");
            } catch (Exception e) {
                LOG.log(Level.WARNING, "A service did not close cleanly", e);
            }
        }
    }
}
