package dev.postern.agent.chat;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.postern.agent.Cutoff;
import dev.postern.agent.ToolAccess;
import dev.postern.agent.TurnLog;
import dev.postern.agent.tool.Toolbox;
import dev.postern.agent.tool.Toolboxes;
import java.util.ArrayList;
import java.util.List;

/** One tool, {@code weather}, that answers each call with a number of its own. */
final class FakeTools implements Toolboxes {

    final List<String> calls = new ArrayList<>();
    int opened;
    int closed;

    @Override
    public Toolbox open(ToolAccess access, Cutoff cutoff, TurnLog log) {
        opened++;
        return new Box();
    }

    private final class Box implements Toolbox {

        @Override
        public List<ToolSpecification> tools() {
            return List.of(ToolSpecification.builder()
                    .name("weather")
                    .description("Tells the weather.")
                    .parameters(JsonObjectSchema.builder()
                            .addStringProperty("city")
                            .required("city")
                            .build())
                    .build());
        }

        @Override
        public String call(ToolExecutionRequest request) {
            calls.add(request.name() + " " + request.arguments().replaceAll("\\s", ""));
            return calls.size() + " degrees";
        }

        @Override
        public void close() {
            closed++;
        }
    }
}
