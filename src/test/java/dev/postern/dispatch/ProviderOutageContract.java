package dev.postern.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.agent.Backend;
import dev.postern.agent.BackendRegistry;
import dev.postern.agent.ProviderBreakerRegistry;
import dev.postern.agent.TurnResult;
import dev.postern.agent.TurnResult.ProviderDown;
import dev.postern.agent.chat.ChatBackendFactory;
import dev.postern.agent.chat.ChatBackendFactoryFixture;
import dev.postern.agent.tool.ToolServerRegistry;
import dev.postern.config.Settings;
import dev.postern.it.ProofReport;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.RunView;
import dev.postern.model.TurnRecord.Outcome;
import dev.postern.model.TurnRecord.ToolCall;
import dev.postern.model.WakeMode;
import dev.postern.net.HttpConnections;
import dev.postern.store.StoreException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The contract of dispatch for providers that are down, on every database. */
@Tag("outage")
abstract class ProviderOutageContract {

    private static final ProviderDown DOWN = new ProviderDown("it answered 503", Duration.ZERO);

    private DispatchFixture fixture;

    /** A scenario on an empty database. */
    abstract DispatchFixture scenario() throws Exception;

    @BeforeEach
    void begin() throws Exception {
        fixture = scenario();
    }

    @AfterEach
    void end() {
        fixture.close();
    }

    @Test
    void failsRunAtOnceWithoutRetryFor() throws StoreException {
        fixture.defaults("retryFor: 0").start();
        fixture.backend.end("hello", DOWN);

        RunView run = fixture.ended(fixture.run("hook:1", "hello"));

        assertThat(run.state()).isEqualTo(RunState.FAILED);
        assertThat(run.error()).isEqualTo("it answered 503");
        assertThat(run.attempts()).isEqualTo(1);
    }

    @Test
    void failsRunWithItsErrorAfterRetryFor() throws StoreException {
        fixture.defaults("retryFor: 15s").start();
        fixture.backend.end("hello", DOWN);
        RunId id = fixture.run("hook:1", "hello");
        waiting(id);

        fixture.time.advance(Duration.ofSeconds(15));

        RunView run = fixture.ended(id);
        assertThat(run.state()).isEqualTo(RunState.FAILED);
        assertThat(run.error()).isEqualTo("it answered 503");
        assertThat(run.retryAt()).isNull();
        assertThat(fixture.backend.begun).hasSize(2);
    }

    @Test
    void keepsRunQueuedWithoutUsingAnAttempt() throws StoreException {
        fixture.start();
        fixture.backend.end("hello", DOWN);

        RunView run = waiting(fixture.run("hook:1", "hello"));

        assertThat(run.attempts()).isZero();
        assertThat(run.startedAt()).isNull();
        assertThat(run.retryReason()).isEqualTo("it answered 503");
        assertThat(run.retryAt())
                .isBetween(
                        fixture.time.instant().plusSeconds(10),
                        fixture.time.instant().plusMillis(12_500));
        assertThat(fixture.dispatcher.runsWaitingForProvider()).isEqualTo(1);
        await().untilAsserted(() ->
                assertThat(fixture.dispatcher.metrics().postponed()).isEqualTo(1));
    }

    @Test
    void waitsAsLongAsTheProviderAsks() throws StoreException {
        fixture.start();
        fixture.backend.end("hello", new ProviderDown("it answered 429", Duration.ofMinutes(20)));

        RunView run = waiting(fixture.run("hook:1", "hello"));

        assertThat(run.retryAt()).isEqualTo(fixture.time.instant().plusSeconds(1_200));
    }

    @Test
    void keepsTheOrderOfASessionThatWaits() throws StoreException {
        fixture.start();
        fixture.backend.end("one", DOWN);
        RunId one = fixture.run("hook:1", "one");
        waiting(one);
        RunId two = fixture.run("hook:1", "two");
        fixture.ended(fixture.run("hook:2", "another session"));
        assertThat(fixture.view(two).state()).isEqualTo(RunState.QUEUED);
        fixture.backend.answerNext("one", "back");

        fixture.time.advance(Duration.ofSeconds(13));

        assertThat(fixture.ended(two).state()).isEqualTo(RunState.SUCCEEDED);
        RunView first = fixture.view(one);
        assertThat(first.reply()).isEqualTo("back");
        assertThat(first.attempts()).isEqualTo(1);
        assertThat(fixture.backend.begun).containsExactly("one", "another session", "one", "two");
        assertThat(fixture.dispatcher.runsWaitingForProvider()).isZero();
    }

    @Test
    void goesOnBehindAWaitingRunThatIsCancelled() throws StoreException {
        fixture.start();
        fixture.backend.end("one", DOWN);
        RunId one = fixture.run("hook:1", "one");
        waiting(one);
        RunId two = fixture.run("hook:1", "two");

        fixture.dispatcher.operatorCommands().cancel(one);

        assertThat(fixture.ended(two).state()).isEqualTo(RunState.SUCCEEDED);
        assertThat(fixture.view(one).state()).isEqualTo(RunState.CANCELLED);
        assertThat(fixture.dispatcher.runsWaitingForProvider()).isZero();
    }

    @Test
    void countsAttemptsThatHaveCalledTools() throws StoreException {
        Backend acting = (prompt, turnCancellation) -> {
            prompt.recorder().addToolCall(new ToolCall("lab", "open", 2, 2, 1, Outcome.OK));
            return DOWN;
        };
        fixture.provider("test", acting).start();
        RunId id = fixture.run("hook:1", "hello");
        assertThat(waiting(id).attempts()).isEqualTo(1);

        fixture.time.advance(Duration.ofSeconds(13));

        RunView run = fixture.ended(id);
        assertThat(run.state()).isEqualTo(RunState.FAILED);
        assertThat(run.error()).isEqualTo("it answered 503; tools were called, and the 2 attempts are used up");
    }

    @Test
    void asksTheFallbackAndSaysSo() throws StoreException {
        List<String> asked = new CopyOnWriteArrayList<>();
        Backend backup = (prompt, turnCancellation) -> {
            asked.add(prompt.model());
            return new TurnResult.Replied("from the backup");
        };
        fixture.defaults("fallbacks: [backup/large]").provider("backup", backup).start();
        fixture.backend.end("hello", DOWN);

        RunView run = fixture.ended(fixture.run("hook:1", "hello"));

        assertThat(run.reply()).isEqualTo("from the backup");
        assertThat(run.model()).isEqualTo("backup/large");
        assertThat(run.askedModel()).isEqualTo("test/model");
        assertThat(asked).containsExactly("backup/large");
    }

    @Test
    void waitsForTheFirstModelWhenTheFallbackFails() throws StoreException {
        Backend backup = (prompt, turnCancellation) -> new TurnResult.Failed("its key is wrong");
        fixture.defaults("fallbacks: [backup/large]").provider("backup", backup).start();
        fixture.backend.end("hello", DOWN);

        RunView run = waiting(fixture.run("hook:1", "hello"));

        assertThat(run.retryReason()).isEqualTo("it answered 503");
        assertThat(run.model()).isEqualTo("test/model");
        assertThat(run.askedModel()).isNull();
    }

    @Test
    void keepsTheEventsOfAHeartbeat() throws StoreException {
        fixture.start();
        fixture.backend.end("look", new ProviderDown("it answered 503", Duration.ofMinutes(2)));
        fixture.wake("look", WakeMode.NOW);
        await().until(() -> {
            fixture.time.advance(Duration.ofMillis(100));
            return fixture.dispatcher.metrics().failedHeartbeats() == 1;
        });
        assertThat(fixture.eventTexts(true)).containsExactly("look");
        fixture.backend.answerNext("look", "seen");

        fixture.time.advance(Duration.ofMinutes(2));

        await().until(() -> fixture.eventTexts(true).isEmpty());
        assertThat(fixture.eventTexts(false)).containsExactly("look");
    }

    @Test
    void retriesAHeartbeatWithinAnHourHoweverLongTheProviderAsksFor() throws StoreException {
        fixture.start();
        fixture.backend.end("look", new ProviderDown("it answered 503", Duration.ofDays(2_900_000)));
        fixture.wake("look", WakeMode.NOW);
        await().until(() -> {
            fixture.time.advance(Duration.ofMillis(100));
            return fixture.dispatcher.metrics().failedHeartbeats() == 1;
        });
        fixture.backend.answerNext("look", "seen");

        fixture.time.advance(Duration.ofHours(1));

        await().until(() -> fixture.eventTexts(true).isEmpty());
    }

    /** Three hours without the provider and a restart in between. {@code -Dit.waiting=2000} is the long version. */
    @Test
    void losesNothingWhileAProviderIsDownForHours() throws Exception {
        int most = Integer.getInteger("it.waiting", 40);
        ExecutorService http = Executors.newCachedThreadPool();
        try (OutageServer provider = new OutageServer();
                HttpConnections connections = new HttpConnections(http)) {
            fixture.backends(patientChat(provider, connections)).start();
            List<RunId> runs = new ArrayList<>();
            for (int i = 0; i < most; i++) {
                runs.add(fixture.run("hook:" + i / 2, "question " + i));
            }
            settle();
            assertThat(fixture.dispatcher.runsWaitingForProvider()).isEqualTo((most + 1) / 2);

            for (int minutes = 0; minutes < 180; minutes += 2) {
                if (minutes == 90) {
                    fixture.backends(patientChat(provider, connections)).crashAndRestart();
                    settle();
                }
                int before = provider.requests();
                fixture.time.advance(Duration.ofMinutes(2));
                settle();
                assertThat(provider.requests() - before)
                        .as("probes at one time: of a turn that had failed, and of one that had not")
                        .isLessThanOrEqualTo(minutes == 90 ? 8 : 2);
            }
            provider.recover();
            for (int minutes = 0; minutes < 20; minutes++) {
                fixture.time.advance(Duration.ofMinutes(1));
                settle();
            }

            for (RunId run : runs) {
                assertThat(fixture.view(run).state()).isEqualTo(RunState.SUCCEEDED);
                assertThat(fixture.view(run).attempts()).isEqualTo(1);
            }
            assertThat(provider.answered()).hasSize(most).doesNotHaveDuplicates();
            for (int i = 0; i + 1 < most; i += 2) {
                assertThat(provider.answered()).containsSubsequence("question " + i, "question " + (i + 1));
            }
            ProofReport.add(
                    "outage",
                    getClass().getSimpleName() + ": a provider away for three hours, a restart in between: " + most
                            + " runs, each answered once");
        } finally {
            http.shutdown();
        }
    }

    @Test
    void holdsNoRunBehindAnotherThatAloneFails() throws Exception {
        ExecutorService http = Executors.newCachedThreadPool();
        try (OutageServer provider = new OutageServer();
                HttpConnections connections = new HttpConnections(http)) {
            provider.recoverBut("question 0");
            fixture.backends(chat(provider, connections)).start();
            RunId failing = fixture.run("hook:0", "question 0");
            waiting(failing);

            RunId other = fixture.run("hook:1", "question 1");

            assertThat(fixture.ended(other).state()).isEqualTo(RunState.SUCCEEDED);
            assertThat(fixture.view(failing).state()).isEqualTo(RunState.QUEUED);
        } finally {
            http.shutdown();
        }
    }

    @Test
    void holdsNoRunBehindOthersThatFail() throws Exception {
        ExecutorService http = Executors.newCachedThreadPool();
        try (OutageServer provider = new OutageServer();
                HttpConnections connections = new HttpConnections(http)) {
            provider.recoverBut("question 0", "question 1");
            fixture.backends(chat(provider, connections)).start();
            List<RunId> failing = new ArrayList<>();
            for (int i = 0; i < 2; i++) { // the second begins when the first has failed, and so probes at once
                failing.add(fixture.run("hook:" + i, "question " + i));
                assertThat(waiting(failing.get(i)).retryReason()).contains("the provider answered 503 (tries: ");
            }
            RunId other = fixture.run("hook:2", "question 2");
            assertThat(waiting(other).retryReason())
                    .isEqualTo("model test/model (kind openai): the provider is down and was not asked; its last"
                            + " failure: the provider answered 503: check the provider, or providers.test.baseUrl");

            fixture.time.advance(Duration.ofSeconds(13));

            RunView ended = fixture.ended(other);
            assertThat(ended.state()).isEqualTo(RunState.SUCCEEDED);
            assertThat(ended.attempts()).isEqualTo(1);
            for (RunId each : failing) {
                assertThat(fixture.view(each).state()).isNotEqualTo(RunState.SUCCEEDED);
            }
        } finally {
            http.shutdown();
        }
    }

    @Test
    void probesAgainAfterAProbeThatCouldNotBeSent() throws Exception {
        ExecutorService http = Executors.newCachedThreadPool();
        AtomicInteger unsent = new AtomicInteger();
        Executor threads = task -> {
            if (unsent.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new OutOfMemoryError("of a test");
            }
            http.execute(task);
        };
        try (OutageServer provider = new OutageServer();
                HttpConnections connections = new HttpConnections(threads)) {
            fixture.backends(chat(provider, connections)).start();
            waiting(fixture.run("hook:0", "question 0"));
            unsent.set(1);
            RunId probing = fixture.run("hook:1", "question 1");
            assertThat(fixture.ended(probing).state()).isEqualTo(RunState.FAILED);
            provider.recover();

            RunId other = fixture.run("hook:2", "question 2");
            fixture.time.advance(Duration.ofMinutes(2));

            assertThat(fixture.ended(other).state()).isEqualTo(RunState.SUCCEEDED);
        } finally {
            http.shutdown();
        }
    }

    @Test
    void probesAgainAfterAProbeWithoutASecureConnection() throws Exception {
        ExecutorService http = Executors.newCachedThreadPool();
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        try (HttpConnections connections = new HttpConnections(http)) {
            fixture.backends(chat("https://127.0.0.1:" + port + "/v1", connections))
                    .start();
            waiting(fixture.run("hook:0", "question 0"));
            try (ServerSocket withoutTls = new ServerSocket(port, 50, InetAddress.getLoopbackAddress())) {
                var unused = CompletableFuture.runAsync(() -> answerInTheClear(withoutTls), http);
                RunId probing = fixture.run("hook:1", "question 1");
                assertThat(fixture.ended(probing).error()).contains("can't be secured");

                RunId other = fixture.run("hook:2", "question 2");
                fixture.time.advance(Duration.ofMinutes(2));

                assertThat(fixture.ended(other).error()).contains("can't be secured");
            }
        } finally {
            http.shutdown();
        }
    }

    private static void answerInTheClear(ServerSocket server) {
        try {
            while (true) {
                try (Socket connection = server.accept()) {
                    connection
                            .getOutputStream()
                            .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                }
            }
        } catch (IOException closed) {
            assertThat(server.isClosed()).isTrue();
        }
    }

    private BackendRegistry chat(OutageServer server, HttpConnections connections) {
        return chat(server.url(), connections);
    }

    private BackendRegistry chat(String url, HttpConnections connections) {
        Settings.Provider provider = provider(url);
        return backends(provider, ChatBackendFactoryFixture.impatient(connections, breakers(provider), fixture.time));
    }

    /** A backend whose turns last some seconds while the provider fails, so that other runs get to know it meanwhile. */
    private BackendRegistry patientChat(OutageServer server, HttpConnections connections) {
        Settings.Provider provider = provider(server.url());
        ToolServerRegistry noTools = new ToolServerRegistry(Map.of(), Path.of("nowhere"), "test");
        return backends(provider, new ChatBackendFactory(connections, noTools, breakers(provider), fixture.time));
    }

    private static Settings.Provider provider(String url) {
        return new Settings.Provider("test", "openai", URI.create(url), null, List.of(), List.of());
    }

    private ProviderBreakerRegistry breakers(Settings.Provider provider) {
        return new ProviderBreakerRegistry(
                Map.of("test", provider), Duration.ofHours(6), (id, outage) -> {}, fixture.time, fixture.time::nanos);
    }

    private static BackendRegistry backends(Settings.Provider provider, ChatBackendFactory factory) {
        return new BackendRegistry(Map.of("test", factory.of(provider)));
    }

    /** Waits until nothing is left to do at this time. */
    private void settle() {
        String busy = "SELECT CAST(COUNT(*) AS text) AS text FROM session WHERE owner IS NOT NULL"
                + " OR ready_at IS NOT NULL OR retry_at <= ";
        await("everything to wait")
                .atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(5))
                .until(() -> fixture.texts(busy + fixture.time.millis()).equals(List.of("0")));
    }

    private RunView waiting(RunId run) {
        return await("a run that waits")
                .pollInterval(Duration.ofMillis(5))
                .until(() -> fixture.view(run), view -> view.retryAt() != null);
    }
}
