package dev.postern.agent.tool;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.exception.LangChain4jException;
import dev.langchain4j.exception.ToolArgumentsException;
import dev.langchain4j.exception.ToolExecutionException;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.invocation.InvocationParameters;
import dev.langchain4j.mcp.client.DefaultMcpClient;
import dev.langchain4j.mcp.client.McpClient;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.postern.config.Settings;
import dev.postern.model.TurnRecord.Outcome;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/** A tool server while it is spoken to: LangChain4j's client over a {@link Wire}, and the tools that it has listed. */
final class Connection implements AutoCloseable {

    /** How long a listing is good for. */
    static final Duration FRESH = Duration.ofMinutes(5);

    private final Wire wire;
    private final McpClient client;
    private final LongSupplier nanos;
    private final String tookTooLong;
    private volatile List<ToolSpecification> tools = List.of();
    private volatile int leftOut;
    private volatile boolean isListed;
    private volatile long listedAt;

    private Connection(Wire wire, McpClient client, LongSupplier nanos, String tookTooLong) {
        this.wire = wire;
        this.client = client;
        this.nanos = nanos;
        this.tookTooLong = tookTooLong;
    }

    /**
     * Connects to {@code server} and lists its tools.
     *
     * @param directory where a program is started
     * @param until by when both have to be done
     * @throws Fault when that can't be done; nothing is left open then
     */
    static Connection open(
            Settings.McpServer server, Path directory, ToolThreads threads, LongSupplier nanos, Deadline until) {
        Wire wire = server.url() == null
                ? new ProgramWire(server, directory, threads)
                : new HttpWire(server, URI.create(server.url().reveal()), threads);
        // The client answers with this text where time was up, and in no other case.
        String tookTooLong = UUID.randomUUID().toString();
        boolean open = false;
        try {
            McpClient client = DefaultMcpClient.builder()
                    .transport(wire)
                    .key(server.id())
                    .clientName("postern")
                    .initializationTimeout(until.left())
                    .toolExecutionTimeout(server.timeout())
                    .toolExecutionTimeoutErrorMessage(tookTooLong)
                    .toolResultExtractor(new ResultText())
                    .autoHealthCheck(false)
                    .cacheToolList(false)
                    .build();
            Connection connection = new Connection(wire, client, nanos, tookTooLong);
            connection.list(until);
            open = true;
            return connection;
        } catch (RuntimeException e) {
            throw fault(e);
        } finally {
            if (!open) {
                wire.close();
            }
        }
    }

    /** Lists the tools; throws a {@link Fault} when that can't be done by {@code until}, and they stay as they were. */
    void list(Deadline until) {
        Pages pages = new Pages(until);
        isListed = false;
        wire.listing();
        try {
            tools = List.copyOf(client.listTools(context(Wire.PAGES, pages)));
        } catch (RuntimeException e) {
            throw fault(e);
        }
        leftOut = pages.leftOut();
        listedAt = nanos.getAsLong();
        isListed = true;
    }

    private static InvocationContext context(String name, Object value) {
        return InvocationContext.builder()
                .invocationParameters(InvocationParameters.from(name, value))
                .build();
    }

    /** The tools as they were listed last. */
    List<ToolSpecification> tools() {
        return tools;
    }

    /** How many of the server's tools are not among {@link #tools} because they could not be read. */
    int leftOut() {
        return leftOut;
    }

    /** True while the listing need not be asked for again. */
    boolean isFresh() {
        return isListed && !wire.hasOtherTools() && nanos.getAsLong() - listedAt < FRESH.toNanos();
    }

    /** True once the connection is of no use any more. */
    boolean isBroken() {
        return wire.isBroken();
    }

    /**
     * Calls a tool.
     *
     * @param arguments a JSON object
     * @throws Fault when there is no answer, of whatever reach
     */
    Answer call(String tool, String arguments, Waiting waiting) {
        ToolExecutionRequest request =
                ToolExecutionRequest.builder().name(tool).arguments(arguments).build();
        try {
            ToolExecutionResult result = client.executeTool(request, context(Wire.WAITING, waiting));
            String text = result.resultText();
            return text.equals(tookTooLong)
                    ? new Answer(Outcome.TIMED_OUT, "The tool took too long and was given up.")
                    : new Answer(Outcome.OK, text);
        } catch (ToolExecutionException | ToolArgumentsException e) {
            return refused(e);
        } catch (RuntimeException e) {
            // Its message may hold the result.
            throw Thread.currentThread().isInterrupted() ? interrupted(waiting) : fault(e);
        } finally {
            waiting.end();
        }
    }

    /** The thread is to end, and its turn with it. */
    private static Fault interrupted(Waiting waiting) {
        waiting.cut();
        return Fault.cutOff();
    }

    private static Answer refused(LangChain4jException e) {
        if (e.getCause() instanceof Fault fault) {
            throw fault;
        }
        String said = e.getMessage() == null ? "" : e.getMessage();
        return new Answer(Outcome.ERROR, said.isBlank() ? "The tool failed and did not say why." : said);
    }

    private static Fault fault(RuntimeException e) {
        for (Throwable why = e; why != null; why = why.getCause()) {
            if (why instanceof Fault fault) {
                return fault;
            }
            if (why instanceof TimeoutException) {
                return Fault.late();
            }
        }
        return new Fault(Fault.Reach.ANSWER, "answered with what is not understood");
    }

    @Override
    public void close() {
        wire.close();
    }
}
