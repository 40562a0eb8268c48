package dev.postern.mapping.script;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.store.SettableClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A transforms root with modules in it, and a registry that calls them. */
final class TransformFixture implements AutoCloseable {

    static final ObjectMapper JSON = new ObjectMapper();
    static final String PREFIX = "postern-test";

    final SettableClock clock = new SettableClock();
    final Path root;
    final ScriptRegistry scriptRegistry;

    /** A budget of a request, with enough time that a slow machine uses up the CPU time first. */
    static final ScriptBudget PATIENT = new ScriptBudget(
            ScriptBudget.RUN.cpu(), Duration.ofMinutes(1), ScriptBudget.RUN.bytes(), ScriptBudget.RUN.stride());

    TransformFixture(Path root) {
        this(root, ScriptBudget.RUN);
    }

    TransformFixture(Path root, ScriptBudget budget) {
        this.root = root;
        this.scriptRegistry = new ScriptRegistry(root, PREFIX, clock, budget);
    }

    Path write(String name, String text) {
        try {
            Path file = root.resolve(name);
            Files.createDirectories(file.getParent());
            return Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<ScriptProblem> problems(String name, String text) {
        return scriptRegistry.prepare(write(name, text), null);
    }

    ScriptResult run(String name, String text, String payload) {
        return run(write(name, text), payload);
    }

    ScriptResult run(Path module, String payload) {
        return scriptRegistry.run(module, null, input(payload));
    }

    JsonNode returned(String name, String text, String payload) {
        return fields(run(name, text, payload));
    }

    static JsonNode fields(ScriptResult result) {
        assertThat(result).isInstanceOf(ScriptResult.Returned.class);
        return ((ScriptResult.Returned) result).fields();
    }

    static ScriptResult.Failed failed(ScriptResult result) {
        assertThat(result).isInstanceOf(ScriptResult.Failed.class);
        return (ScriptResult.Failed) result;
    }

    static ObjectNode input(String payload) {
        ObjectNode input = JSON.createObjectNode();
        input.set("payload", json(payload));
        input.putObject("headers").put("x-event", "push");
        input.putObject("query").put("q", "1");
        input.put("path", "github");
        input.put("now", "2026-11-20T12:00:00Z");
        input.putObject("action").put("message", "as templated");
        return input;
    }

    static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The live threads of the registry. */
    static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith(PREFIX + "-script"))
                .toList();
    }

    @Override
    public void close() {
        scriptRegistry.close();
    }
}
