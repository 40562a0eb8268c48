package dev.postern.agent.chat;

import dev.postern.agent.Backend;
import dev.postern.agent.BackendPrompt;
import dev.postern.agent.PromptText;
import dev.postern.agent.ProviderBreaker;
import dev.postern.agent.ProviderBreakerRegistry;
import dev.postern.agent.ToolApprovals;
import dev.postern.agent.ToolPermissions;
import dev.postern.agent.TranscriptRepository.Line;
import dev.postern.agent.TurnCancellation;
import dev.postern.agent.TurnJournal;
import dev.postern.agent.TurnRecorder;
import dev.postern.agent.TurnResult;
import dev.postern.agent.tool.ToolServerRegistry;
import dev.postern.config.Settings;
import dev.postern.model.Provenance;
import dev.postern.model.Secret;
import dev.postern.model.SessionKey;
import dev.postern.model.ThinkingLevels;
import dev.postern.model.TurnRecord;
import dev.postern.net.HttpConnections;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** A turn to take on a provider called {@code mine}. */
final class ChatTurnFixture {

    static final String KEY = "sk-marzipan-and-quince";
    static final String MESSAGE = "What does the private rhubarb say?";

    private final String kind;
    private final String baseUrl;
    private Secret key = new Secret(KEY);
    private String name = "large";
    private String thinking;
    private Integer contextTokens;
    private Integer maxTokens;
    private int maxCalls = 9;
    private Integer maxTurnTokens;
    private Duration retryFor = Duration.ofHours(6);
    private String instructions = "";
    private List<Line> history = List.of();
    private String message = MESSAGE;
    private FakeTools tools;
    private Duration timeout = Duration.ofSeconds(30);
    private Duration took = Duration.ZERO;
    private TurnJournal journal = TurnJournal.of(ToolApprovals.UNAVAILABLE);
    private final TurnRecorder log = new TurnRecorder();

    ChatTurnFixture(String kind, String baseUrl) {
        this.kind = kind;
        this.baseUrl = baseUrl;
    }

    ChatTurnFixture withoutKey() {
        key = null;
        return this;
    }

    ChatTurnFixture key(String other) {
        key = new Secret(other);
        return this;
    }

    ChatTurnFixture model(String other) {
        name = other;
        return this;
    }

    ChatTurnFixture thinking(String level) {
        thinking = level;
        return this;
    }

    ChatTurnFixture contextTokens(int most) {
        contextTokens = most;
        return this;
    }

    ChatTurnFixture maxTokens(int most) {
        maxTokens = most;
        return this;
    }

    ChatTurnFixture maxCalls(int most) {
        maxCalls = most;
        return this;
    }

    ChatTurnFixture maxTurnTokens(int most) {
        maxTurnTokens = most;
        return this;
    }

    ChatTurnFixture instructions(String text) {
        instructions = text;
        return this;
    }

    ChatTurnFixture history(Line... lines) {
        history = List.of(lines);
        return this;
    }

    ChatTurnFixture message(String text) {
        message = text;
        return this;
    }

    ChatTurnFixture tools(FakeTools box) {
        tools = box;
        return this;
    }

    ChatTurnFixture journal(TurnJournal other) {
        journal = other;
        return this;
    }

    ChatTurnFixture timeout(Duration other) {
        timeout = other;
        return this;
    }

    /** Takes the turn. */
    TurnResult take() {
        return take(new TurnCancellation(System::nanoTime, timeout));
    }

    TurnResult take(TurnCancellation turnCancellation) {
        return take(turnCancellation, 1);
    }

    /** Takes the turn, and another one like it. */
    TurnResult takeTwice() {
        return take(new TurnCancellation(System::nanoTime, timeout), 2);
    }

    /** Takes the turn as the probe of a provider that was down; returns whether another turn may probe it an hour later. */
    boolean takeAsProbe(TurnCancellation turnCancellation) {
        AtomicLong later = new AtomicLong();
        ProviderBreakerRegistry breakers = breakers(() -> System.nanoTime() + later.get());
        ProviderBreaker breaker = breakers.of(provider());
        while (breaker.outage().isEmpty()) {
            breaker.failed((ProviderBreaker.Granted) breaker.request("run_0"), "it was down", Duration.ZERO);
        }
        take(turnCancellation, 1, breakers);
        later.set(Duration.ofHours(1).toNanos());
        return breaker.request("run_2") instanceof ProviderBreaker.Granted;
    }

    private TurnResult take(TurnCancellation turnCancellation, int times) {
        return take(turnCancellation, times, breakers(System::nanoTime));
    }

    private ProviderBreakerRegistry breakers(LongSupplier nanos) {
        return new ProviderBreakerRegistry(
                Map.of("mine", provider()), retryFor, (id, outage) -> {}, InstantSource.system(), nanos);
    }

    private Settings.Provider provider() {
        return new Settings.Provider(
                /* id= */ "mine",
                kind,
                /* baseUrl= */ URI.create(baseUrl),
                /* apiKey= */ key,
                /* command= */ List.of(),
                /* env= */ Map.of(),
                /* thinkingLevels= */ Stream.concat(ThinkingLevels.LEVELS.stream(), Stream.ofNullable(thinking))
                        .distinct()
                        .toList(),
                contextTokens,
                maxTokens,
                /* prices= */ Map.of());
    }

    private TurnResult take(TurnCancellation turnCancellation, int times, ProviderBreakerRegistry breakers) {
        BackendPrompt prompt = new BackendPrompt(
                /* turnId= */ "run_1",
                /* agentId= */ "main",
                /* sessionKey= */ new SessionKey("hook:1"),
                /* workspace= */ Path.of("nowhere"),
                /* model= */ "mine/" + name,
                thinking,
                instructions,
                history,
                /* message= */ PromptText.of(new Provenance("agent", true), message, null),
                /* tools= */ tools == null
                        ? ToolPermissions.NONE
                        : new ToolPermissions(List.of("lab"), Optional.empty(), Optional.empty(), List.of(), maxCalls),
                journal,
                /* maxTokens= */ maxTurnTokens,
                /* recorder= */ log);
        ExecutorService executor = Executors.newFixedThreadPool(2);
        long start = System.nanoTime();
        try (HttpConnections connections = new HttpConnections(executor)) {
            ChatBackendFactory backends = new ChatBackendFactory(
                    connections,
                    tools == null ? new ToolServerRegistry(Map.of(), Path.of("nowhere"), "test") : tools,
                    breakers,
                    new ProviderRetryRule(InstantSource.system(), Duration.ofMillis(1)));
            Backend backend = backends.of(provider());
            for (int i = 1; i < times; i++) {
                backend.takeTurn(prompt, turnCancellation);
            }
            return backend.takeTurn(prompt, turnCancellation);
        } finally {
            took = Duration.ofNanos(System.nanoTime() - start);
            executor.shutdown();
        }
    }

    /** The duration of the turns that were taken. */
    Duration took() {
        return took;
    }

    /** The turn's record. */
    TurnRecord record() {
        return log.record();
    }
}
