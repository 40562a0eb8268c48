package dev.postern.agent.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.postern.agent.BackendPrompt;
import dev.postern.agent.PromptText;
import dev.postern.agent.ProviderBreakerRegistry;
import dev.postern.agent.ToolPermissions;
import dev.postern.agent.TurnCancellation;
import dev.postern.agent.TurnJournal;
import dev.postern.agent.TurnRecorder;
import dev.postern.agent.TurnResult;
import dev.postern.agent.chat.ChatBackendFactory;
import dev.postern.config.Settings;
import dev.postern.model.Provenance;
import dev.postern.model.Secret;
import dev.postern.model.SessionKey;
import dev.postern.model.ThinkingLevels;
import dev.postern.net.HttpConnections;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Complete turns with a chat model that is played by a server, which speaks the API of a provider. */
final class ModelTurnFixture {

    private static final String MODEL = "mine/large";

    /** The bodies of the requests to the model, in order. */
    final Queue<JsonNode> asked = new ConcurrentLinkedQueue<>();

    private final Path workspace;
    private final ToolboxFactory tools;

    ModelTurnFixture(Path workspace, ToolboxFactory tools) {
        this.workspace = workspace;
        this.tools = tools;
    }

    /**
     * Takes a turn.
     *
     * @param kind the kind of the model's provider
     * @param responses the bodies of the model's responses, in order
     */
    TurnResult take(String kind, ToolPermissions access, TurnJournal journal, TurnRecorder log, List<String> responses)
            throws IOException {
        HttpServer model = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        Queue<String> left = new ConcurrentLinkedQueue<>(responses);
        model.createContext("/", exchange -> respond(exchange, left.remove()));
        model.start();
        ExecutorService executor = Executors.newFixedThreadPool(2);
        try (HttpConnections connections = new HttpConnections(executor)) {
            URI url = URI.create("http://127.0.0.1:" + model.getAddress().getPort());
            Settings.Provider provider =
                    new Settings.Provider("mine", kind, url, new Secret("a key"), List.of(), ThinkingLevels.LEVELS);
            ProviderBreakerRegistry breakers = new ProviderBreakerRegistry(
                    Map.of("mine", provider),
                    Duration.ZERO,
                    (id, outage) -> {},
                    InstantSource.system(),
                    System::nanoTime);
            log.recordAsked(MODEL);
            return new ChatBackendFactory(connections, tools, breakers, InstantSource.system())
                    .of(provider)
                    .takeTurn(
                            prompt(access, journal, log),
                            new TurnCancellation(System::nanoTime, Duration.ofSeconds(60)));
        } finally {
            model.stop(0);
            executor.shutdown();
        }
    }

    private BackendPrompt prompt(ToolPermissions access, TurnJournal journal, TurnRecorder log) {
        return new BackendPrompt(
                /* turnId= */ "run_1",
                /* agentId= */ "main",
                /* sessionKey= */ new SessionKey("hook:1"),
                workspace,
                /* model= */ MODEL,
                /* thinking= */ null,
                /* instructions= */ "",
                /* history= */ List.of(),
                /* message= */ PromptText.of(new Provenance("agent", true), "What do you hear?", null),
                /* tools= */ access,
                journal,
                /* maxTokens= */ null,
                /* recorder= */ log);
    }

    private void respond(HttpExchange exchange, String response) throws IOException {
        asked.add(SampleTools.JSON.readTree(exchange.getRequestBody()));
        byte[] body = response.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
