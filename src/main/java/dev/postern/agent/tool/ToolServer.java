package dev.postern.agent.tool;

import dev.postern.config.Settings;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A configured tool server and the connection that all turns share. A thread of its own connects when a turn needs the
 * server. So a turn can be cancelled, or go on without the server, while others wait. A broken connection is replaced at the
 * next need. If tools can't be listed again, the connection keeps those that it had. After a failed attempt there is none
 * for ten seconds.
 */
final class ToolServer implements AutoCloseable {

    /** The time without further attempts after one has failed. */
    static final Duration PAUSE = Duration.ofSeconds(10);

    private static final Logger LOG = System.getLogger(ToolServer.class.getName());
    private static final Duration LONGEST_END = Duration.ofSeconds(10);

    private final Settings.McpServer server;
    private final Path directory;
    private final ToolThreadFactory threads;
    private final LongSupplier nanos;
    private @Nullable ToolServerConnection connection;
    private @Nullable CompletableFuture<ToolServerConnection> underWay;
    private @Nullable Thread worker;
    private @Nullable ToolServerException lastFailure;
    private long failedAt;
    private boolean closed;

    ToolServer(Settings.McpServer server, Path directory, ToolThreadFactory threads, LongSupplier nanos) {
        this.server = server;
        this.directory = directory;
        this.threads = threads;
        this.nanos = nanos;
    }

    String id() {
        return server.id();
    }

    /** A connection with a fresh listing of its tools; fails with a {@link ToolServerException}. */
    synchronized CompletableFuture<ToolServerConnection> listed() {
        ToolServerConnection current = currentConnection();
        return current != null && current.isFresh() ? CompletableFuture.completedFuture(current) : prepared();
    }

    /** As {@link #listed}, with a listing that begins now or is under way, so that the server is known to be there. */
    synchronized CompletableFuture<ToolServerConnection> relisted() {
        return prepared();
    }

    /** A connection for a call; fails with a {@link ToolServerException}. */
    synchronized CompletableFuture<ToolServerConnection> connected() {
        ToolServerConnection current = currentConnection();
        return current != null && !current.isStale() ? CompletableFuture.completedFuture(current) : prepared();
    }

    /** The present connection with its last listing of tools; null if it is not usable. */
    synchronized @Nullable ToolServerConnection currentConnection() {
        ToolServerConnection current = connection;
        return current != null && !current.isBroken() ? current : null;
    }

    private CompletableFuture<ToolServerConnection> prepared() {
        if (underWay != null) {
            return underWay.copy();
        }
        ToolServerException failure = lastFailure;
        if (closed || (failure != null && nanos.getAsLong() - failedAt < PAUSE.toNanos())) {
            return CompletableFuture.failedFuture(failure == null ? ToolServerException.closed() : failure);
        }
        CompletableFuture<ToolServerConnection> begun = new CompletableFuture<>();
        underWay = begun;
        Thread thread = threads.make("connect", () -> prepare(begun));
        try {
            thread.start();
            worker = thread;
        } catch (RuntimeException | Error e) {
            // The operating system has no room for the thread.
            failed(begun, e);
        }
        return begun.copy();
    }

    private void prepare(CompletableFuture<ToolServerConnection> begun) {
        ToolServerConnection last;
        synchronized (this) {
            last = connection;
        }
        try {
            ToolServerConnection ready = ready(last);
            if (succeeded(ready)) {
                begun.complete(ready);
            } else {
                ready.close();
                begun.completeExceptionally(ToolServerException.closed());
            }
        } catch (RuntimeException | Error e) {
            failed(begun, e);
        }
    }

    private ToolServerConnection ready(@Nullable ToolServerConnection last) {
        CallDeadline until = CallDeadline.in(server.timeout(), nanos);
        if (last != null && !last.isBroken()) {
            try {
                last.list(until);
                return last;
            } catch (ToolServerException why) {
                if (!last.isBroken()) {
                    throw why;
                }
                LOG.log(Level.DEBUG, "Tool server [{0}] {1}; reconnecting", id(), why.getMessage());
            }
        }
        if (last != null) {
            last.close();
        }
        if (until.left().isZero()) {
            throw ToolServerException.late();
        }
        return ToolServerConnection.open(server, directory, threads, nanos, until);
    }

    private synchronized boolean succeeded(ToolServerConnection ready) {
        underWay = null;
        if (closed) {
            return false;
        }
        if (lastFailure != null) {
            LOG.log(Level.INFO, "Tool server [{0}] is available again", id());
        }
        lastFailure = null;
        connection = ready;
        return true;
    }

    private void failed(CompletableFuture<ToolServerConnection> begun, Throwable e) {
        ToolServerException why = e instanceof ToolServerException toolServerException
                ? toolServerException
                : new ToolServerException(
                        ToolServerException.Scope.CONNECTION,
                        "cannot be spoken to: " + e.getClass().getSimpleName());
        failed(why);
        begun.completeExceptionally(why);
    }

    private synchronized void failed(ToolServerException why) {
        if (lastFailure == null && !closed) {
            LOG.log(
                    Level.WARNING,
                    "Tool server [{0}] {1}; until it is available again turns continue {2}",
                    id(),
                    why.getMessage(),
                    currentConnection() == null ? "without its tools" : "with the tools that it had");
        }
        underWay = null;
        connection = currentConnection();
        lastFailure = why;
        failedAt = nanos.getAsLong();
    }

    /** Ends the connection, its program and its threads. */
    @Override
    public void close() {
        Thread preparing;
        synchronized (this) {
            closed = true;
            preparing = worker;
        }
        if (preparing != null) {
            preparing.interrupt();
            await(preparing);
        }
        ToolServerConnection last;
        synchronized (this) {
            last = connection;
            connection = null;
        }
        if (last != null) {
            last.close();
        }
    }

    private static void await(Thread thread) {
        try {
            thread.join(LONGEST_END.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
