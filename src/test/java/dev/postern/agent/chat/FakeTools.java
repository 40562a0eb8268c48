package dev.postern.agent.chat;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.postern.agent.ApprovalQuestion;
import dev.postern.agent.ToolPermissions;
import dev.postern.agent.TurnCancellation;
import dev.postern.agent.TurnJournal;
import dev.postern.agent.TurnRecorder;
import dev.postern.agent.tool.Toolbox;
import dev.postern.agent.tool.ToolboxFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Tools, {@code weather} by default, that return {@link #result}, or else a number of their own, for each call that the turn
 * may make.
 */
final class FakeTools implements ToolboxFactory {

    final List<String> calls = new ArrayList<>();
    private final List<ToolSpecification> told;
    String result = "";
    int opened;
    int refused;
    int closed;

    FakeTools() {
        this(ToolSpecification.builder()
                .name("weather")
                .description("Tells the weather.")
                .parameters(JsonObjectSchema.builder()
                        .addStringProperty("city")
                        .required("city")
                        .build())
                .build());
    }

    FakeTools(ToolSpecification... told) {
        this.told = List.of(told);
    }

    @Override
    public Toolbox open(
            ToolPermissions access, TurnJournal journal, TurnCancellation turnCancellation, TurnRecorder log) {
        opened++;
        return new FakeToolbox(access.maxCalls());
    }

    private final class FakeToolbox implements Toolbox {

        private int left;

        FakeToolbox(int maxCalls) {
            left = maxCalls;
        }

        @Override
        public List<ToolSpecification> tools() {
            return told;
        }

        @Override
        public Optional<String> obstacle() {
            return Optional.empty();
        }

        @Override
        public int callsLeft() {
            return left;
        }

        @Override
        public List<ApprovalQuestion> questions(List<ToolExecutionRequest> next) {
            return List.of();
        }

        @Override
        public String call(ToolExecutionRequest request) {
            if (left == 0) {
                refused++;
                return "Not called.";
            }
            left--;
            calls.add(request.name() + " " + request.arguments().replaceAll("\\s", ""));
            return result.isEmpty() ? calls.size() + " degrees" : result;
        }

        @Override
        public String refuseCut(ToolExecutionRequest request) {
            throw new UnsupportedOperationException("no response is cut within a call");
        }

        @Override
        public void close() {
            closed++;
        }
    }
}
