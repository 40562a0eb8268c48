package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A test of the state that SIGTERM leaves. */
@Tag("long")
class DrainIT {

    private static final Duration LONGEST = Duration.ofSeconds(90);

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    private HomeFixture home;
    private PosternProcess postern;

    @BeforeEach
    void startWithOneTurnAtATime() throws IOException {
        home = homeFixtureExtension
                .newHome()
                .settingsWithProgram(HomeFixture.hooks(), "maxConcurrent: 1, defaults: {model: program/x}");
        postern = home.start();
    }

    @Test
    void endsAtOnceWhenNothingRuns() throws Exception {
        assertThat(postern.stop()).isZero();
        assertThat(postern.log()).doesNotContain("WARNING", "SEVERE", "Exception");
    }

    @Test
    void letsTheRunningTurnEndAndLeavesTheQueuedOnesInTheDatabase() throws Exception {
        String running = ask("wait for go");
        String queued = ask("the next one");
        awaitBegun();

        postern.terminate();
        await().atMost(LONGEST).until(this::isRefusing);
        assertThat(postern.isAlive()).isTrue();
        home.file("agents/main/go", "");

        assertThat(postern.awaitExit()).isZero();
        assertThat(postern.log())
                .contains(
                        "Shutting down: waiting up to 30 s for 1 turn(s); deliveries in progress: 0",
                        "Dispatch stopped after ")
                .doesNotContain("WARNING", "SEVERE", "Exception");
        try (HomeDatabase database = home.database()) {
            assertThat(database.column("SELECT state || ' ' || attempts FROM run ORDER BY accepted_at, id"))
                    .containsExactly("succeeded 1", "queued 0");
            assertThat(database.column("SELECT id FROM node")).isEmpty();
        }
        PosternProcess again = home.start();
        assertThat(again.sender().ended(queued).text("status")).isEqualTo("succeeded");
        assertThat(again.sender().run(queued).number("attempts")).isEqualTo(1);
        assertThat(again.sender().run(running).text("reply"))
                .startsWith("turn taken: ")
                .contains("wait for go");
        assertThat(again.stop()).isZero();
    }

    @Test
    void logsWhatHappensWhileTheRunningTurnsEnd() throws Exception {
        postern.sender().post("wake", "{\"text\":\"wait for go\"}");
        awaitBegun();

        postern.terminate();
        await().atMost(LONGEST).until(this::isRefusing);
        home.file("agents/main/go", "");

        assertThat(postern.awaitExit()).isZero();
        assertThat(postern.log())
                .contains("of a heartbeat, agent main, model program/x: begins, events 1", ": answered, reply to");
    }

    @Test
    void answersTheSenderThatWaitsForTheRunningTurn() throws Exception {
        CompletableFuture<PosternResponse> waiting = postern.sender()
                .postLater(
                        "agent", "{\"message\":\"wait for go\",\"wakeMode\":\"next-heartbeat\"}", "Prefer", "wait=60");
        awaitBegun();

        postern.terminate();
        await().atMost(LONGEST).until(this::isRefusing);
        home.file("agents/main/go", "");

        PosternResponse posternResponse = waiting.get(LONGEST.toSeconds(), TimeUnit.SECONDS);
        assertThat(posternResponse.status()).isEqualTo(200);
        assertThat(posternResponse.text("status")).isEqualTo("succeeded");
        assertThat(postern.awaitExit()).isZero();
    }

    /** Takes 30 s, so it is only run where somebody asks for it. */
    @Test
    @EnabledIfSystemProperty(named = "it.grace", matches = "true")
    void breaksOffWhatDoesNotEndWithinTheGrace() throws Exception {
        String run = ask("slow at first");
        awaitBegun();

        assertThat(postern.stop()).isZero();
        assertThat(postern.log()).contains("Interrupting 1 turn(s); they will be run again");
        assertThat(home.read("agents/main/begun").lines()).hasSize(1);

        PosternProcess again = home.start();
        assertThat(again.sender().ended(run).text("status")).isEqualTo("succeeded");
        assertThat(again.sender().run(run).number("attempts")).isEqualTo(2);
        assertThat(again.stop()).isZero();
    }

    private String ask(String message) throws Exception {
        PosternResponse posternResponse =
                postern.sender().post("agent", "{\"message\":\"" + message + "\",\"wakeMode\":\"next-heartbeat\"}");
        assertThat(posternResponse.status()).isEqualTo(202);
        return posternResponse.text("runId");
    }

    private void awaitBegun() {
        await().atMost(LONGEST)
                .ignoreExceptions()
                .until(() -> home.read("agents/main/begun").lines().count() == 1);
    }

    private boolean isRefusing() {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), postern.base().getPort())) {
            return !socket.isConnected();
        } catch (IOException refused) {
            return true;
        }
    }
}
