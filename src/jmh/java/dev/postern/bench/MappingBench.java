package dev.postern.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.config.CredentialHeaders;
import dev.postern.config.MappingSettings;
import dev.postern.config.MappingSettings.Action;
import dev.postern.config.MappingSettings.Match;
import dev.postern.config.MappingSettings.Text;
import dev.postern.config.MappingSettings.TextField;
import dev.postern.config.MappingSettings.Transform;
import dev.postern.mapping.HookRegistry;
import dev.postern.mapping.MappingResult;
import dev.postern.mapping.script.ScriptRegistry;
import dev.postern.model.HookRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** A benchmark of what a mapping adds to an accept: with six templates, and with a transform after them. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 4, time = 3)
@Measurement(iterations = 3, time = 3)
@Fork(1)
public class MappingBench {

    private static final String TRANSFORM =
            """
            export default function ({ payload, action }: any) {
              const names = payload.items.filter((item: any) => item.open).map((item: any) => item.name.toUpperCase());
              return { message: `${action.message}: ${names.slice(0, 5).join(', ')} of ${payload.items.length}` };
            }
            """;

    /** Characters of the payload. */
    @Param({"2000", "200000"})
    public int size;

    private HookRegistry hookRegistry;
    private ScriptRegistry scriptRegistry;
    private JsonNode payload;
    private Map<String, String> headers;

    /** Compiles the mappings and makes a payload. */
    @Setup
    public void start() throws IOException {
        Path root = Files.createTempDirectory("postern-bench").toRealPath();
        Path module = Files.writeString(root.resolve("bench.ts"), TRANSFORM);
        scriptRegistry = new ScriptRegistry(root, "postern-bench", InstantSource.system());
        hookRegistry = HookRegistry.compile(
                        List.of(mapping("templated", null), mapping("scripted", new Transform(module, null, "bench"))),
                        new CredentialHeaders(Set.of()),
                        scriptRegistry)
                .mappings();
        payload = payload(size);
        headers = Map.of("x-delivery", "d-1", "user-agent", "bench", "content-type", "application/json");
    }

    /** Ends the scripts' threads. */
    @TearDown
    public void end() {
        scriptRegistry.close();
    }

    /** Templates alone. */
    @Benchmark
    public MappingResult templates() {
        return hookRegistry.map(request("templated"), payload);
    }

    /** The same, and a transform. */
    @Benchmark
    public MappingResult transform() {
        return hookRegistry.map(request("scripted"), payload);
    }

    private HookRequest request(String hook) {
        return new HookRequest(hook, new byte[0], headers, Map.of(), null, false, null, Instant.EPOCH);
    }

    private static MappingSettings mapping(String path, Transform transform) {
        Map<TextField, Text> texts = new EnumMap<>(TextField.class);
        texts.put(
                TextField.MESSAGE,
                text("${payload.repo.name} #${payload.number}: ${payload.title} <#if payload.open>is"
                        + " open</#if> {{payload.items[0].name}} ${payload.missing.deep}"));
        texts.put(TextField.NAME, text("Bench"));
        texts.put(TextField.SESSION_KEY, text("hook:bench:${payload.number}"));
        texts.put(TextField.IDEMPOTENCY_KEY, text("${headers[\"x-delivery\"]}"));
        texts.put(TextField.TO, text("{{payload.repo.name}}"));
        texts.put(TextField.CHANNEL, text("inbox"));
        return new MappingSettings(
                /* id= */ path,
                /* where= */ "bench",
                /* match= */ new Match(path, null, Map.of()),
                /* action= */ Action.AGENT,
                texts,
                /* forEach= */ null,
                transform,
                /* turn= */ MappingSettings.TurnOptions.NONE,
                /* verify= */ null,
                /* payload= */ MappingSettings.Payload.DEFAULT,
                /* response= */ MappingSettings.Response.DEFAULT,
                /* load= */ MappingSettings.Load.DEFAULT,
                /* trusted= */ false,
                /* replyToSource= */ MappingSettings.ReplyToSource.NONE);
    }

    private static Text text(String template) {
        return new Text(template, "bench");
    }

    private static JsonNode payload(int size) {
        ObjectNode payload = new JsonMapper().createObjectNode();
        payload.put("number", 17).put("title", "The build is red").put("open", true);
        payload.putObject("repo").put("name", "shop/web").put("stars", 12.5);
        ArrayNode items = payload.putArray("items");
        for (int i = 0; payload.toString().length() < size; i++) {
            for (int j = 0; j < size / 2000; j++) {
                items.addObject()
                        .put("name", "item number " + i)
                        .put("open", i % 2 == 0)
                        .put("count", i)
                        .put("text", "a line of text that says little");
            }
        }
        return payload;
    }
}
