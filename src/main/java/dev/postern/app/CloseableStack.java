package dev.postern.app;

import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;

/** Closes what was opened, the latest first; what can't be closed doesn't keep the rest open. */
final class CloseableStack implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(CloseableStack.class.getName());

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    /** Takes charge of {@code part}, which is closed before whatever came earlier. */
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
                LOG.log(Level.WARNING, "Interrupted while closing; the rest is closed without waiting");
            } catch (Exception e) {
                LOG.log(Level.WARNING, "A part did not close cleanly", e);
            }
        }
    }
}
