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

/**
 * A connection to a tool server: LangChain4j's client over a {@link BoundedMcpTransport}, and the tools of the last listing.
 */
final class ToolServerConnection implements AutoCloseable {

    /** The time for which a listing is fresh. */
    static final Duration FRESH = Duration.ofMinutes(5);

    private final BoundedMcpTransport boundedMcpTransport;
    private final McpClient client;
    private final LongSupplier nanos;
    private final String tookTooLong;
    private volatile List<ToolSpecification> tools = List.of();
    private volatile int leftOut;
    private volatile boolean isCut;
    private volatile boolean isListed;
    private volatile long listedAt;

    private ToolServerConnection(
            BoundedMcpTransport boundedMcpTransport, McpClient client, LongSupplier nanos, String tookTooLong) {
        this.boundedMcpTransport = boundedMcpTransport;
        this.client = client;
        this.nanos = nanos;
        this.tookTooLong = tookTooLong;
    }

    /**
     * Connects to {@code server} and lists its tools.
     *
     * @param directory the directory in which a program is started
     * @param until the deadline for both
     * @throws ToolServerException if that fails; nothing is left open then
     */
    static ToolServerConnection open(
            Settings.McpServer server,
            Path directory,
            ToolThreadFactory threads,
            LongSupplier nanos,
            CallDeadline until) {
        BoundedMcpTransport boundedMcpTransport = server.url() == null
                ? new StdioMcpTransport(server, directory, threads)
                : new HttpMcpTransport(server, URI.create(server.url().reveal()), threads);
        // The client returns this text after a timeout, and in no other case.
        String tookTooLong = UUID.randomUUID().toString();
        boolean open = false;
        try {
            McpClient client = DefaultMcpClient.builder()
                    .transport(boundedMcpTransport)
                    .key(server.id())
                    .clientName("postern")
                    .initializationTimeout(until.left())
                    .toolExecutionTimeout(server.timeout())
                    .toolExecutionTimeoutErrorMessage(tookTooLong)
                    .toolResultExtractor(new ToolResultText())
                    .autoHealthCheck(false)
                    .cacheToolList(false)
                    .build();
            ToolServerConnection connection = new ToolServerConnection(boundedMcpTransport, client, nanos, tookTooLong);
            connection.list(until);
            open = true;
            return connection;
        } catch (RuntimeException e) {
            throw fault(e);
        } finally {
            if (!open) {
                boundedMcpTransport.close();
            }
        }
    }

    /**
     * Lists the tools. Throws a {@link ToolServerException} if that fails or is not done by {@code until}; the tools stay as
     * they were.
     */
    void list(CallDeadline until) {
        ToolListPages pages = new ToolListPages(until);
        isListed = false;
        boundedMcpTransport.beginListing();
        try {
            tools = List.copyOf(client.listTools(context(BoundedMcpTransport.PAGES, pages)));
        } catch (RuntimeException e) {
            throw fault(e);
        }
        boundedMcpTransport.endListing();
        leftOut = pages.leftOut();
        isCut = pages.isCut();
        listedAt = nanos.getAsLong();
        isListed = true;
    }

    private static InvocationContext context(String name, Object value) {
        return InvocationContext.builder()
                .invocationParameters(InvocationParameters.from(name, value))
                .build();
    }

    /** The tools of the last listing. */
    List<ToolSpecification> tools() {
        return tools;
    }

    /** The number of the server's tools that are not among {@link #tools} because they could not be read. */
    int leftOut() {
        return leftOut;
    }

    /** Whether the server's last tools are not among {@link #tools} because they are too many, or too long together. */
    boolean isCut() {
        return isCut;
    }

    /** Whether the last listing can still be used. */
    boolean isFresh() {
        return isListed
                && !isStale()
                && !boundedMcpTransport.haveToolsChanged()
                && nanos.getAsLong() - listedAt < FRESH.toNanos();
    }

    /** Whether the server may have forgotten the session. Listing its tools shows it: the connection is broken then. */
    boolean isStale() {
        return boundedMcpTransport.isStale();
    }

    /** Whether the connection can no longer be used. */
    boolean isBroken() {
        return boundedMcpTransport.isBroken();
    }

    /**
     * Calls a tool.
     *
     * @param arguments a JSON object
     * @throws ToolServerException if there is no response, in any scope
     */
    ToolCallResult call(String tool, String arguments, PendingCall pendingCall) {
        ToolExecutionRequest request =
                ToolExecutionRequest.builder().name(tool).arguments(arguments).build();
        try {
            ToolExecutionResult result = client.executeTool(request, context(BoundedMcpTransport.WAITING, pendingCall));
            String text = result.resultText();
            return text.equals(tookTooLong)
                    ? new ToolCallResult(Outcome.TIMED_OUT, "The tool took too long and was given up.")
                    : new ToolCallResult(Outcome.OK, text);
        } catch (ToolExecutionException | ToolArgumentsException e) {
            return refused(e);
        } catch (RuntimeException e) {
            // Its message may contain the result.
            throw Thread.currentThread().isInterrupted() ? interrupted(pendingCall) : fault(e);
        } finally {
            pendingCall.end();
        }
    }

    /** Ends the call because its thread has to end, and its turn with it. */
    private static ToolServerException interrupted(PendingCall pendingCall) {
        pendingCall.cancel();
        return ToolServerException.cancelled();
    }

    private static ToolCallResult refused(LangChain4jException e) {
        if (e.getCause() instanceof ToolServerException toolServerException) {
            throw toolServerException;
        }
        String said = e.getMessage() == null ? "" : e.getMessage();
        return new ToolCallResult(Outcome.ERROR, said.isBlank() ? "The tool failed and did not say why." : said);
    }

    private static ToolServerException fault(RuntimeException e) {
        for (Throwable why = e; why != null; why = why.getCause()) {
            if (why instanceof ToolServerException toolServerException) {
                return toolServerException;
            }
            if (why instanceof TimeoutException) {
                return ToolServerException.late();
            }
        }
        return new ToolServerException(ToolServerException.Scope.ANSWER, "answered with what is not understood");
    }

    @Override
    public void close() {
        boundedMcpTransport.close();
    }
}
