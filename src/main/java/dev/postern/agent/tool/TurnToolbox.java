package dev.postern.agent.tool;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.postern.agent.ApprovalQuestion;
import dev.postern.agent.Boundary;
import dev.postern.agent.ToolApprovals.Decided;
import dev.postern.agent.ToolPermissions;
import dev.postern.agent.TurnJournal;
import dev.postern.agent.TurnJournal.ToolResult;
import dev.postern.agent.TurnRecorder;
import dev.postern.model.ApprovalDecision;
import dev.postern.model.TurnRecord.Outcome;
import dev.postern.model.TurnRecord.ToolCall;
import dev.postern.observe.TraceSpan;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A toolbox of one turn that has each tool under the name that the turn's model knows. */
final class TurnToolbox implements Toolbox {

    private static final int MAX_ARGUMENT_BYTES = 1024 * 1024;
    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    /** A tool that the turn may use: its description for the model, its server, and its name there. */
    record Tool(ToolSpecification specification, ToolServer server, String name) {}

    private final Map<String, Tool> tools;
    private final Optional<String> obstacle;
    private final ToolPermissions access;
    private final TurnJournal journal;
    private final int maxCalls;
    private final PendingCall pendingCall;
    private final TurnRecorder log;
    private int calls;

    /**
     * Creates a toolbox.
     *
     * @param tools the tools by the names that the model knows
     * @param obstacle as in {@link #obstacle}
     */
    TurnToolbox(
            Map<String, Tool> tools,
            Optional<String> obstacle,
            ToolPermissions access,
            TurnJournal journal,
            PendingCall pendingCall,
            TurnRecorder log) {
        this.tools = tools;
        this.obstacle = obstacle;
        this.access = access;
        this.journal = journal;
        this.maxCalls = access.maxCalls();
        this.pendingCall = pendingCall;
        this.log = log;
    }

    @Override
    public List<ToolSpecification> tools() {
        return tools.values().stream().map(Tool::specification).toList();
    }

    @Override
    public Optional<String> obstacle() {
        return obstacle;
    }

    @Override
    public int callsLeft() {
        return tools.isEmpty() ? 0 : Math.max(0, maxCalls - calls);
    }

    @Override
    public List<ApprovalQuestion> questions(List<ToolExecutionRequest> next) {
        if (journal.isPlaying()) {
            return List.of();
        }
        List<ApprovalQuestion> questions = new ArrayList<>();
        for (int i = 0; i < Math.min(next.size(), callsLeft()); i++) {
            Tool tool = toolOf(next.get(i));
            String arguments = argumentsOf(next.get(i));
            if (tool != null && isUndecided(tool, calls + i) && isObject(arguments)) {
                questions.add(new ApprovalQuestion(calls + i, tool.server().id(), tool.name(), arguments));
            } else if (i == 0) {
                return List.of();
            }
        }
        return questions;
    }

    private boolean isUndecided(Tool tool, int call) {
        return journal.approvals().canWait()
                && access.needsApproval(tool.server().id(), tool.name())
                && journal.approvals().find(call).isEmpty();
    }

    private @Nullable Tool toolOf(ToolExecutionRequest request) {
        return tools.get(request.name() == null ? "" : request.name());
    }

    private static String argumentsOf(ToolExecutionRequest request) {
        return request.arguments() == null || request.arguments().isBlank() ? "{}" : request.arguments();
    }

    @Override
    public String call(ToolExecutionRequest request) {
        return call(request, false);
    }

    @Override
    public String refuseCut(ToolExecutionRequest request) {
        return call(request, true);
    }

    private String call(ToolExecutionRequest request, boolean isCut) {
        Optional<ToolResult> played = journal.playResult();
        if (played.isPresent()) {
            calls++;
            log.addEarlierToolCall(played.get().call());
            return played.get().text();
        }
        Optional<Decided> decided = journal.approvals().find(calls);
        Optional<ToolResult> written = decided.map(Decided::result);
        written.map(ToolResult::call).ifPresent(log::addEarlierToolCall);
        ToolResult result = written.orElseGet(() -> traced(request, decided, isCut));
        calls++;
        journal.add(result);
        return result.text();
    }

    /** The span has neither arguments nor result, nor the name of a tool that does not exist: a model may write anything. */
    private ToolResult traced(ToolExecutionRequest request, Optional<Decided> decided, boolean isCut) {
        Tool tool = toolOf(request);
        try (TraceSpan span = TraceSpan.child(tool == null ? "execute_tool" : "execute_tool " + tool.name())) {
            span.set("gen_ai.operation.name", "execute_tool")
                    .set("gen_ai.tool.type", "function")
                    .set("gen_ai.tool.name", tool == null ? null : tool.name())
                    .set(
                            "postern.tool.server",
                            tool == null ? null : tool.server().id());
            return make(tool, argumentsOf(request), decided, isCut, span);
        }
    }

    private ToolResult make(
            @Nullable Tool tool, String arguments, Optional<Decided> decided, boolean isCut, TraceSpan span) {
        long begun = System.nanoTime();
        ToolCallResult toolCallResult = answer(tool, arguments, decided, isCut);
        if (toolCallResult.outcome() != Outcome.OK) {
            span.fail(toolCallResult.outcome().wire());
        }
        // Some providers refuse a blank result.
        String said = toolCallResult.text().isBlank() ? "The tool gave an empty result." : toolCallResult.text();
        String text = Boundary.defused(ToolResultText.bounded(said));
        ToolCall call = new ToolCall(
                tool == null
                        ? decided.map(Decided::server).orElse("")
                        : tool.server().id(),
                tool == null ? decided.map(Decided::tool).orElse("") : tool.name(),
                arguments.getBytes(StandardCharsets.UTF_8).length,
                text.getBytes(StandardCharsets.UTF_8).length,
                Duration.ofNanos(System.nanoTime() - begun).toMillis(),
                toolCallResult.outcome());
        if (decided.filter(Decided::begun).isPresent()) {
            log.addEarlierToolCall(call);
        } else {
            log.addToolCall(call);
        }
        ToolResult result = new ToolResult(call, text);
        if (decided.filter(each -> each.decision() == ApprovalDecision.APPROVED).isPresent()) {
            journal.approvals().end(calls, result);
        }
        return result;
    }

    private ToolCallResult answer(@Nullable Tool tool, String arguments, Optional<Decided> decided, boolean isCut) {
        if (!tools.isEmpty() && calls >= maxCalls) {
            return new ToolCallResult(
                    Outcome.REFUSED,
                    "Not called: this turn may make " + maxCalls + " tool calls and has made them. Answer without.");
        }
        if (decided.isPresent() && !decided.get().isPending()) {
            return withheld(decided.get());
        }
        if (tool == null
                || decided.filter(each -> !each.isAbout(tool.server().id(), tool.name()))
                        .isPresent()) {
            return new ToolCallResult(
                    Outcome.REFUSED,
                    decided.isPresent()
                            ? "Not called: the tool that an operator has approved is not available now."
                            : "Not called: there is no tool of this name in this turn.");
        }
        if (isCut) {
            return new ToolCallResult(Outcome.ERROR, "Not called: the answer was cut at the output limit.");
        }
        if (!isObject(arguments)) {
            return new ToolCallResult(
                    Outcome.ERROR, "Not called: the arguments have to be one JSON object of at most 1 MiB.");
        }
        if (decided.isEmpty() && access.needsApproval(tool.server().id(), tool.name())) {
            return new ToolCallResult(
                    Outcome.REFUSED,
                    "Not called: this tool needs an operator's approval, for which this turn can't wait.");
        }
        if (decided.isPresent() && !journal.approvals().begin(calls)) {
            return begunBefore(decided.get());
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

    /** The result of a call whose effect nobody knows. */
    private ToolCallResult begunBefore(Decided decided) {
        log.addNote("A call of " + decided.server() + "/" + decided.tool()
                + " was begun before an interruption. It may have been made, and is not made again.");
        return new ToolCallResult(
                Outcome.ERROR,
                "This call was approved and begun before an interruption. It may have been made: its result is"
                        + " unknown, and it is not made again.");
    }

    /** The result of a call that is not made although, or because, an operator was asked about it. */
    private ToolCallResult withheld(Decided decided) {
        return switch (decided.decision()) {
            case APPROVED -> begunBefore(decided);
            case REFUSED -> new ToolCallResult(Outcome.REFUSED, "Not called: an operator has refused this call.");
            case EXPIRED, WITHDRAWN ->
                new ToolCallResult(Outcome.REFUSED, "Not called: no operator has approved this call in time.");
        };
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
