package dev.postern.agent.tool;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.postern.agent.ToolApprovals;
import dev.postern.agent.ToolPermissions;
import dev.postern.agent.TurnCancellation;
import dev.postern.agent.TurnJournal;
import dev.postern.agent.TurnRecorder;
import dev.postern.config.Settings;
import dev.postern.model.Secret;
import dev.postern.model.TurnRecord.ToolCall;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A turn that uses tools, as a backend takes it. */
final class ToolTurnFixture implements AutoCloseable {

    final TurnCancellation turnCancellation;
    final TurnRecorder log = new TurnRecorder();
    private final Toolbox toolbox;

    ToolTurnFixture(ToolboxFactory tools, ToolPermissions access) {
        this(tools, access, Duration.ofSeconds(60));
    }

    /** A turn that may take {@code time}. */
    ToolTurnFixture(ToolboxFactory tools, ToolPermissions access, Duration time) {
        this(tools, access, TurnJournal.of(ToolApprovals.UNAVAILABLE), time);
    }

    /** A turn that goes on from {@code journal}. */
    ToolTurnFixture(ToolboxFactory tools, ToolPermissions access, TurnJournal journal, Duration time) {
        turnCancellation = new TurnCancellation(System::nanoTime, time);
        toolbox = tools.open(access, journal, turnCancellation, log);
    }

    /** A turn that may use all of {@code servers}. */
    static ToolTurnFixture with(ToolboxFactory tools, String... servers) {
        return new ToolTurnFixture(tools, access(List.of(servers), null, null));
    }

    /** As {@link #with}, for a turn that may take {@code time}. */
    static ToolTurnFixture of(Duration time, ToolboxFactory tools, String... servers) {
        return new ToolTurnFixture(tools, access(List.of(servers), null, null), time);
    }

    static ToolPermissions access(List<String> servers, @Nullable List<String> agent, @Nullable List<String> turn) {
        return new ToolPermissions(servers, Optional.ofNullable(agent), Optional.ofNullable(turn), List.of(), 32);
    }

    static Settings.McpServer programServer(
            String id, List<String> command, Map<String, String> env, Duration timeout) {
        return new Settings.McpServer(id, command, secrets(env), null, Map.of(), timeout);
    }

    static Settings.McpServer httpServer(String id, URI url, Map<String, String> headers, Duration timeout) {
        return new Settings.McpServer(id, List.of(), Map.of(), new Secret(url.toString()), secrets(headers), timeout);
    }

    private static Map<String, Secret> secrets(Map<String, String> values) {
        Map<String, Secret> secrets = new LinkedHashMap<>();
        values.forEach((name, value) -> secrets.put(name, new Secret(value)));
        return secrets;
    }

    List<String> names() {
        return toolbox.tools().stream().map(ToolSpecification::name).toList();
    }

    List<ToolSpecification> tools() {
        return toolbox.tools();
    }

    String call(String tool) {
        return call(tool, "{}");
    }

    String call(String tool, String arguments) {
        return toolbox.call(ToolExecutionRequest.builder()
                .id("1")
                .name(tool)
                .arguments(arguments)
                .build());
    }

    int callsLeft() {
        return toolbox.callsLeft();
    }

    List<String> notes() {
        return log.record().notes();
    }

    /** The calls so far: server, tool, outcome, bytes of arguments and result. */
    List<String> calls() {
        return log.record().toolCalls().stream().map(ToolTurnFixture::line).toList();
    }

    private static String line(ToolCall call) {
        return call.server() + "/" + call.tool() + " " + call.outcome().wire() + " " + call.argumentBytes() + " "
                + call.resultBytes();
    }

    @Override
    public void close() {
        toolbox.close();
    }
}
