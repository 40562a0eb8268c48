package dev.postern.agent.tool;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.postern.agent.Cutoff;
import dev.postern.agent.ToolAccess;
import dev.postern.agent.TurnLog;
import dev.postern.model.TurnRecord.Outcome;
import dev.postern.model.TurnRecord.ToolCall;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Gives each turn its tools. */
public interface Toolboxes {

    /** Gives no tools: what a model asks for all the same is refused. */
    Toolboxes NONE = (access, cutoff, log) -> new Toolbox() {

        @Override
        public List<ToolSpecification> tools() {
            return List.of();
        }

        @Override
        public String call(ToolExecutionRequest request) {
            String refusal = "There are no tools in this turn.";
            int arguments =
                    request.arguments() == null ? 0 : request.arguments().getBytes(StandardCharsets.UTF_8).length;
            log.called(new ToolCall("", "", arguments, refusal.length(), 0, Outcome.REFUSED));
            return refusal;
        }

        @Override
        public void close() {}
    };

    /**
     * The tools that {@code access} names. A server that can't be reached is left out, with a note in {@code log}, so that
     * the turn is taken without its tools.
     */
    Toolbox open(ToolAccess access, Cutoff cutoff, TurnLog log);
}
