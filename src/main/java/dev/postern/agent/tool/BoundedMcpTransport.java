package dev.postern.agent.tool;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.invocation.InvocationParameters;
import dev.langchain4j.mcp.client.McpCallContext;
import dev.langchain4j.mcp.client.transport.McpOperationHandler;
import dev.langchain4j.mcp.client.transport.McpTransport;
import dev.langchain4j.mcp.protocol.McpCancellationNotification;
import dev.langchain4j.mcp.protocol.McpClientMessage;
import dev.langchain4j.mcp.protocol.McpClientMethod;
import dev.langchain4j.mcp.protocol.McpInitializationNotification;
import dev.langchain4j.mcp.protocol.McpInitializeRequest;
import dev.postern.net.JsonValueLimit;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A transport to a tool server for LangChain4j's client, one JSON-RPC message of bounded length and number of
 * values at a time.
 *
 * <p>LangChain4j's own transports are not used. They accept messages of any size, end a program but not what it has started,
 * give it Postern's whole environment, and log unexpected messages with their contents. Here a message that nobody waits for
 * is dropped. Nothing that a server sends is logged, neither here nor by the client, which sees only responses.
 */
abstract class BoundedMcpTransport implements McpTransport {

    /** The name of the {@link PendingCall} in a call's context. */
    static final String WAITING = "waiting";

    /** The name of the {@link ToolListPages} in a listing's context. */
    static final String PAGES = "pages";

    /** JSON-RPC's code for an unknown method. */
    static final int METHOD_NOT_FOUND = -32601;

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern VERSION = Pattern.compile("[0-9A-Za-z.-]{1,32}");

    private final Map<Long, CompletableFuture<JsonNode>> asked = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable ToolServerException> broken = new AtomicReference<>();
    private volatile boolean toolsChanged;
    private volatile boolean silent;
    private volatile boolean stale;

    /** Opens the connection to the server. */
    abstract void open();

    /**
     * Sends a message without waiting until it is sent.
     *
     * @param answer the response that is waited for; null if none is expected. If the caller completes it with an error, it
     *     no longer waits
     * @return completes when the server has the message, as far as that can be known
     */
    abstract CompletableFuture<Boolean> send(ObjectNode message, @Nullable CompletableFuture<JsonNode> answer);

    /** Notes the agreed version of the protocol. */
    abstract void agreed(String version);

    /** Closes the connection and releases its resources. */
    abstract void end();

    /** Whether the connection can no longer be used. */
    final boolean isBroken() {
        return broken.get() != null;
    }

    /** Whether the server has reported since the last {@link #beginListing} that its tools have changed. */
    final boolean haveToolsChanged() {
        return toolsChanged;
    }

    /** Notes that the tools are about to be listed. */
    final void beginListing() {
        toolsChanged = false;
    }

    /** Whether the server may have forgotten the session. */
    final boolean isStale() {
        return stale;
    }

    /** Notes that the server may have forgotten the session. */
    final void markStale() {
        stale = true;
    }

    /** Notes that the server has listed its tools, and so knows the session. */
    final void endListing() {
        stale = false;
    }

    /** Marks the connection as unusable; responses that are waited for may still arrive. */
    final void markUnusable(ToolServerException why) {
        broken.compareAndSet(null, why);
    }

    /** Marks the connection as unusable and fails all responses that are waited for. */
    final void failAll(ToolServerException why) {
        markUnusable(why);
        asked.values().forEach(answer -> answer.completeExceptionally(why));
    }

    /**
     * Handles a text from the server: a message, or several in an array. Anything else is ignored.
     *
     * @throws ToolServerException if the text has too many values
     */
    final void receive(String text) {
        if (JsonValueLimit.isExceeded(text)) {
            throw new ToolServerException(
                    ToolServerException.Scope.CONNECTION,
                    "sent a message of more than " + JsonValueLimit.MAX_VALUES + " JSON values");
        }
        silent = false;
        JsonNode message;
        try {
            message = JSON.readTree(text);
        } catch (JsonProcessingException notForUs) {
            return;
        }
        if (message.isArray()) {
            message.forEach(this::take);
        } else {
            take(message);
        }
    }

    private void take(JsonNode message) {
        if (!message.hasNonNull("method")) {
            CompletableFuture<JsonNode> answer = asked.get(message.path("id").asLong(-1));
            if (answer != null) {
                preferContent(message.path("result"));
                answer.complete(message);
            }
        } else if (message.has("id")) {
            respond(message);
        } else if (message.path("method").asText().equals("notifications/tools/list_changed")) {
            toolsChanged = true;
        }
    }

    /**
     * Leaves the structured content of a result only where there is no other. LangChain4j would take it instead of the content,
     * which is what the tool says to a model, and most tools say the same in both.
     */
    private static void preferContent(JsonNode result) {
        if (result instanceof ObjectNode object && !object.path("content").isEmpty()) {
            object.remove("structuredContent");
        }
    }

    private void respond(JsonNode request) {
        ObjectNode reply = JsonNodeFactory.instance.objectNode().put("jsonrpc", "2.0");
        reply.set("id", request.get("id"));
        switch (request.path("method").asText()) {
            case "ping" -> reply.putObject("result");
            case "roots/list" -> reply.putObject("result").putArray("roots");
            default -> reply.putObject("error").put("code", METHOD_NOT_FOUND).put("message", "Method not found");
        }
        var unused = send(reply, null);
    }

    private CompletableFuture<JsonNode> ask(McpClientMessage question, @Nullable PendingCall pendingCall) {
        long id = question.getId();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        asked.put(id, answer);
        var unused = answer.whenComplete((message, why) -> asked.remove(id));
        if (pendingCall != null) {
            pendingCall.begin(answer);
        }
        ToolServerException already = broken.get();
        if (already != null) {
            answer.completeExceptionally(already);
        }
        if (!answer.isDone()) {
            var unusedSent = send(JSON.valueToTree(question), answer);
            var unusedEnd = answer.whenComplete((message, why) -> {
                if (why instanceof ToolServerException toolServerException
                        && toolServerException.scope() == ToolServerException.Scope.TURN) {
                    var unusedSaid = say(new McpCancellationNotification(id, "The turn has ended"));
                }
            });
        }
        return answer;
    }

    /** The client would give each page the time of a call; here all pages share the time of the listing. */
    private JsonNode page(McpClientMessage request, ToolListPages pages) {
        CompletableFuture<JsonNode> answer = ask(request, null);
        try {
            return pages.admitted(pages.until().await(answer));
        } catch (ToolServerException why) {
            if (answer.completeExceptionally(why)) {
                recordTimeout(why);
            }
            throw why;
        }
    }

    /**
     * Gives up a silent server. A server that does not list its tools in time may still be busy with a call. A server that
     * sends nothing until the next timeout hangs.
     */
    private void recordTimeout(ToolServerException why) {
        if (silent && asked.isEmpty()) {
            markUnusable(why);
        }
        silent = true;
    }

    private CompletableFuture<Boolean> say(McpClientMessage message) {
        return send(JSON.valueToTree(message), null);
    }

    private JsonNode begun(JsonNode answer) {
        String version = answer.path("result").path("protocolVersion").asText("");
        if (!VERSION.matcher(version).matches()) {
            throw new ToolServerException(
                    ToolServerException.Scope.CONNECTION, "did not answer in the Model Context Protocol");
        }
        agreed(version);
        ObjectNode begun = JsonNodeFactory.instance.objectNode();
        begun.putObject("result").put("protocolVersion", version);
        return begun;
    }

    /** The client's own handler is not used: it logs unknown messages with their contents. */
    @Override
    public final void start(McpOperationHandler handler) {
        open();
    }

    /** The client gets only the protocol's version of the server's response, because it logs the response. */
    @Override
    public final CompletableFuture<JsonNode> initialize(McpInitializeRequest request) {
        return ask(request, null).thenApply(this::begun).thenCompose(begun -> say(new McpInitializationNotification())
                .thenApply(sent -> begun));
    }

    @Override
    public final CompletableFuture<JsonNode> executeOperationWithResponse(McpClientMessage request) {
        return ask(request, null);
    }

    @Override
    public final CompletableFuture<JsonNode> executeOperationWithResponse(McpCallContext context) {
        McpClientMessage request = context.message();
        InvocationParameters given = context.invocationContext().invocationParameters();
        return request.method == McpClientMethod.TOOLS_LIST
                ? CompletableFuture.completedFuture(page(request, given.get(PAGES)))
                : ask(request, given.get(WAITING));
    }

    /** The client cancels a call that has taken too long, and leaves it to the transport to drop it. */
    @Override
    public final void executeOperationWithoutResponse(McpClientMessage message) {
        ObjectNode json = JSON.valueToTree(message);
        if (message instanceof McpCancellationNotification) {
            CompletableFuture<JsonNode> answer =
                    asked.get(json.path("params").path("requestId").asLong(-1));
            if (answer != null) {
                answer.completeExceptionally(
                        new ToolServerException(ToolServerException.Scope.ANSWER, "took too long"));
            }
        }
        var unused = send(json, null);
    }

    @Override
    public final void executeOperationWithoutResponse(McpCallContext context) {
        executeOperationWithoutResponse(context.message());
    }

    @Override
    public final void checkHealth() {
        ToolServerException why = broken.get();
        if (why != null) {
            throw why;
        }
    }

    /** The client doesn't reconnect by itself: see {@link ToolServer}. */
    @Override
    public final void onFailure(Runnable reconnect) {}

    @Override
    public final void close() {
        failAll(ToolServerException.closed());
        end();
    }
}
