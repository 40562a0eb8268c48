package dev.postern.agent.tool;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.postern.agent.Boundary;
import dev.postern.agent.TurnRecorder;
import dev.postern.model.TurnRecord.Outcome;
import dev.postern.model.TurnRecord.ToolCall;
import dev.postern.observe.TraceSpan;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A toolbox of one turn that has each tool under the name that the turn's model knows. */
final class TurnToolbox implements Toolbox {

    /** The longest result that a model reads, in bytes of UTF-8. */
    static final int MAX_RESULT_BYTES = 256 * 1024;

    private static final int MAX_ARGUMENT_BYTES = 1024 * 1024;
    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    /** A tool that the turn may use: its description for the model, its server, and its name there. */
    record Tool(ToolSpecification specification, ToolServer server, String name) {}

    private final Map<String, Tool> tools;
    private final int maxCalls;
    private final PendingCall pendingCall;
    private final TurnRecorder log;
    private int calls;

    /** Creates a toolbox of {@code tools}, by the names that the model knows. */
    TurnToolbox(Map<String, Tool> tools, int maxCalls, PendingCall pendingCall, TurnRecorder log) {
        this.tools = tools;
        this.maxCalls = maxCalls;
        this.pendingCall = pendingCall;
        this.log = log;
    }

    @Override
    public List<ToolSpecification> tools() {
        return tools.values().stream().map(Tool::specification).toList();
    }

    @Override
    public int callsLeft() {
        return tools.isEmpty() ? 0 : Math.max(0, maxCalls - calls);
    }

    /** The span has neither arguments nor result, nor the name of a tool that does not exist: a model may write anything. */
    @Override
    public String call(ToolExecutionRequest request) {
        Tool known = request.name() == null ? null : tools.get(request.name());
        try (TraceSpan span = TraceSpan.child(known == null ? "execute_tool" : "execute_tool " + known.name())) {
            span.set("gen_ai.operation.name", "execute_tool")
                    .set("gen_ai.tool.type", "function")
                    .set("gen_ai.tool.name", known == null ? null : known.name())
                    .set(
                            "postern.tool.server",
                            known == null ? null : known.server().id());
            return called(request, span);
        }
    }

    private String called(ToolExecutionRequest request, TraceSpan span) {
        long begun = System.nanoTime();
        String arguments = request.arguments() == null || request.arguments().isBlank() ? "{}" : request.arguments();
        String name = request.name() == null ? "" : request.name();
        Tool tool = tools.get(name);
        ToolCallResult toolCallResult = answer(tool, arguments);
        if (toolCallResult.outcome() != Outcome.OK) {
            span.fail(toolCallResult.outcome().wire());
        }
        // Some providers refuse a blank result.
        String said = toolCallResult.text().isBlank() ? "The tool gave an empty result." : toolCallResult.text();
        String text = Boundary.defused(bounded(said));
        log.addToolCall(new ToolCall(
                tool == null ? "" : tool.server().id(),
                tool == null ? "" : tool.name(),
                arguments.getBytes(StandardCharsets.UTF_8).length,
                text.getBytes(StandardCharsets.UTF_8).length,
                Duration.ofNanos(System.nanoTime() - begun).toMillis(),
                toolCallResult.outcome()));
        return text;
    }

    private ToolCallResult answer(@Nullable Tool tool, String arguments) {
        calls++;
        if (!tools.isEmpty() && calls > maxCalls) {
            return new ToolCallResult(
                    Outcome.REFUSED,
                    "Not called: this turn may make " + maxCalls + " tool calls and has made them. Answer without.");
        }
        if (tool == null) {
            return new ToolCallResult(Outcome.REFUSED, "Not called: there is no tool of this name in this turn.");
        }
        if (!isObject(arguments)) {
            return new ToolCallResult(
                    Outcome.ERROR, "Not called: the arguments have to be one JSON object of at most 1 MiB.");
        }
        try {
            return call(tool, arguments);
        } catch (ToolServerException forgotten) {
            if (forgotten.scope() != ToolServerException.Scope.SESSION) {
                return failed(tool, forgotten);
            }
        }
        try {
            return call(tool, arguments);
        } catch (ToolServerException again) {
            return failed(tool, again);
        }
    }

    private ToolCallResult call(Tool tool, String arguments) {
        ToolServerConnection connection = pendingCall.await(tool.server().connected(), pendingCall.nextDeadline());
        return connection.call(tool.name(), arguments, pendingCall);
    }

    private static ToolCallResult failed(Tool tool, ToolServerException why) {
        return why.scope() == ToolServerException.Scope.TURN
                ? new ToolCallResult(Outcome.TIMED_OUT, "The turn has ended before the tool did.")
                : new ToolCallResult(
                        Outcome.ERROR, "The tool server " + tool.server().id() + " " + why.getMessage() + ".");
    }

    private static boolean isObject(String arguments) {
        if (arguments.length() > MAX_ARGUMENT_BYTES) {
            return false;
        }
        try {
            return JSON.readTree(arguments).isObject();
        } catch (JsonProcessingException e) {
            return false;
        }
    }

    /** At most {@link #MAX_RESULT_BYTES} of {@code text}, cut between two characters; without halves of characters. */
    private static String bounded(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= MAX_RESULT_BYTES) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
        int end = MAX_RESULT_BYTES;
        while ((bytes[end] & 0xC0) == 0x80) {
            end--;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8) + "\n[cut here: the result had " + bytes.length
                + " bytes]";
    }

    /** Keeps the servers' connections open for later turns. */
    @Override
    public void close() {
        pendingCall.end();
        if (calls > 0 && callsLeft() == 0) {
            log.addNote(usedUp());
        }
    }

    private String usedUp() {
        if (tools.isEmpty()) {
            return "The turn has no tools: tool calls refused: " + calls + ".";
        }
        int refused = calls - maxCalls;
        return "The turn has used up its tool calls (maxCalls " + maxCalls + ")"
                + (refused == 0 ? "." : "; further calls refused: " + refused + ".");
    }
}
