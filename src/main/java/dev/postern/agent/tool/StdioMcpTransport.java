package dev.postern.agent.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.agent.MinimalEnvironment;
import dev.postern.agent.ProcessMarker;
import dev.postern.agent.ProcessTree;
import dev.postern.agent.ProgramLauncher;
import dev.postern.config.Settings;
import dev.postern.model.Sha256;
import dev.postern.net.OwnerOnlyFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A transport to a local program over its standard input and output, one line for each message. The program's environment
 * holds the variables that any program needs, and those configured for it. Its standard error is counted and discarded. The
 * program ends with everything that it has started, see {@link ProcessTree}. Processes that were left when Postern was
 * killed end before the server is started again.
 */
final class StdioMcpTransport extends BoundedMcpTransport {

    /**
     * The environment variable that marks the processes of a tool server; its value is always the same for this home's
     * server.
     */
    static final String MARK = "POSTERN_TOOL_SERVER";

    private static final Logger LOG = System.getLogger(StdioMcpTransport.class.getName());
    private static final int MOST_UNREAD = 64;
    private static final long NOTE_EVERY_MILLIS = 200;
    private static final long LONGEST_END_MILLIS = 2_000;

    private final Settings.McpServer server;
    private final Path directory;
    private final ProcessMarker mark;
    private final BlockingQueue<byte[]> unread = new LinkedBlockingQueue<>(MOST_UNREAD);
    private final ToolThreadFactory threads;
    private final List<Thread> started = new ArrayList<>();
    private volatile @Nullable Process process;
    private volatile @Nullable ProcessTree tree;

    /**
     * Creates a transport to {@code server}, which will start in {@code directory}; that is created if it does not exist.
     */
    StdioMcpTransport(Settings.McpServer server, Path directory, ToolThreadFactory threads) {
        this.server = server;
        this.directory = directory;
        this.threads = threads;
        this.mark = new ProcessMarker(MARK, Sha256.name(directory.toAbsolutePath() + "\0" + server.id(), 16));
    }

    @Override
    void open() {
        ProcessTree.endAll(mark);
        Process program;
        try {
            OwnerOnlyFiles.createDirectories(directory);
            ProcessBuilder builder = new ProcessBuilder(server.command()).directory(directory.toFile());
            Map<String, String> environment = MinimalEnvironment.of(builder);
            server.env().forEach((name, value) -> environment.put(name, value.reveal()));
            program = ProgramLauncher.start(builder, mark);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "Tool server [{0}]: {1}", server.id(), e);
            throw new ToolServerException(ToolServerException.Scope.CONNECTION, "is a program that cannot be started");
        } catch (IllegalArgumentException e) {
            // Its message may hold a variable's value.
            throw new ToolServerException(
                    ToolServerException.Scope.CONNECTION, "has environment variables that cannot be set");
        }
        ProcessTree all = new ProcessTree(program, mark);
        process = program;
        tree = all;
        thread("out", () -> readAll(program.getInputStream()));
        thread("err", () -> countAll(program.getErrorStream()));
        thread("in", () -> writeAll(program, all));
    }

    private void thread(String role, Runnable work) {
        Thread thread = threads.make(role, work);
        started.add(thread);
        thread.start();
    }

    @Override
    CompletableFuture<Boolean> send(ObjectNode message, @Nullable CompletableFuture<JsonNode> answer) {
        if (!unread.offer((message + "\n").getBytes(StandardCharsets.UTF_8))) {
            fail(new ToolServerException(ToolServerException.Scope.CONNECTION, "does not read what it is sent"));
        }
        return CompletableFuture.completedFuture(true);
    }

    @Override
    void agreed(String version) {}

    private void readAll(InputStream output) {
        LineSplitter lines = new LineSplitter(this::receive);
        byte[] buffer = new byte[16 * 1024];
        try (output) {
            for (int read = output.read(buffer); read >= 0; read = output.read(buffer)) {
                lines.take(buffer, read);
            }
            fail(new ToolServerException(ToolServerException.Scope.CONNECTION, "has ended"));
        } catch (ToolServerException tooLong) {
            fail(tooLong);
        } catch (IOException e) {
            fail(new ToolServerException(ToolServerException.Scope.CONNECTION, "cannot be read"));
        }
    }

    private void countAll(InputStream errors) {
        byte[] buffer = new byte[16 * 1024];
        long count = 0;
        try (errors) {
            for (int read = errors.read(buffer); read >= 0; read = errors.read(buffer)) {
                count += read;
            }
        } catch (IOException closed) {
            LOG.log(Level.DEBUG, "Tool server [{0}]: standard error cannot be read", server.id());
        }
        LOG.log(Level.DEBUG, "Tool server [{0}]: {1} bytes on standard error", server.id(), count);
    }

    /** Writes messages and notes, between two of them, what the program has started. */
    private void writeAll(Process program, ProcessTree all) {
        try (OutputStream input = program.getOutputStream()) {
            while (!isBroken()) {
                all.note();
                byte[] message = unread.poll(NOTE_EVERY_MILLIS, TimeUnit.MILLISECONDS);
                if (message != null) {
                    input.write(message);
                    input.flush();
                }
            }
        } catch (IOException e) {
            fail(new ToolServerException(ToolServerException.Scope.CONNECTION, "does not read what it is sent"));
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    /** Fails without waiting; {@link #end} ends the other processes that the program has started. */
    private void fail(ToolServerException why) {
        failAll(why);
        Process program = process;
        if (program != null) {
            program.destroyForcibly();
        }
    }

    @Override
    void end() {
        ProcessTree all = tree;
        if (all == null) {
            return;
        }
        all.end();
        started.forEach(Thread::interrupt);
        try {
            for (Thread thread : started) {
                thread.join(LONGEST_END_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
