package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.it.EventStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A test of the streams of runs' events across a shutdown, a kill, two nodes, a proxy, and a client that does not read. */
@Timeout(600)
class RunStreamRestartIT {

    private static final Duration LONGEST = Duration.ofSeconds(90);

    /** Longer than the shipped nginx.conf lets a server be silent. */
    private static final Duration QUIET = Duration.ofSeconds(17);

    private static final int SMALL_WINDOW = 4_096;
    private static final int LARGE_REPLY = 1_000_000;
    private static final String WAIT = "{\"message\":\"wait for go\",\"deliver\":false}";
    private static final String PROGRAM = "defaults: {model: program/x}";

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    @Test
    void missesNothingAndRepeatsNothingAfterKill() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome().settingsWithProgram(HomeFixture.hooks(), PROGRAM);
        PosternProcess postern = home.start();
        String run = postern.sender().post("agent", WAIT).text("runId");
        EventStream before = follow(postern.base(), run);
        assertThat(before.idsBefore("0.1.running")).containsExactly("0.0.queued");

        postern.kill();
        assertThat(before.ids()).isEmpty();
        assertThat(before.isWhole()).isFalse();
        PosternProcess again = home.start();
        EventStream after = follow(again.base(), run, "Last-Event-ID: 0.1.running");
        assertThat(after.idsBefore("0.2.running")).containsExactly("0.1.queued");
        home.file("agents/main/go", "");

        assertThat(after.ids()).containsExactly("0.2.ended", "0.2.reply", "0.2.end");
        assertThat(after.isWhole()).isTrue();
        assertThat(follow(again.base(), run).ids())
                .containsExactly(
                        "0.0.queued", "0.1.running", "0.1.queued", "0.2.running", "0.2.ended", "0.2.reply", "0.2.end");
    }

    @Test
    void endsAtShutdownBeforeTheRunDoes() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome().settingsWithProgram(HomeFixture.hooks(), PROGRAM);
        PosternProcess postern = home.start();
        String run = postern.sender().post("agent", WAIT).text("runId");
        EventStream stream = follow(postern.base(), run);
        stream.idsBefore("0.1.running");

        postern.terminate();

        assertThat(stream.ids()).isEmpty();
        assertThat(stream.isWhole()).isTrue();
        assertThat(postern.isAlive()).isTrue();
        home.file("agents/main/go", "");
        assertThat(postern.awaitExit()).isZero();
        assertThat(postern.log()).doesNotContain("WARNING", "SEVERE", "Exception");
    }

    /** It tells the same on the node that does not run the turn, and a client may change over in the middle. */
    @Test
    void tellsTheSameOnEachNode() throws Exception {
        List<HomeFixture> homes = new ArrayList<>();
        Path go = Files.createTempDirectory("follow").resolve("go");
        for (int i = 0; i < 2; i++) {
            homes.add(homeFixtureExtension.newHome());
        }
        String provider = "providers: {gate: {kind: command, command: [sh, -c, 'until [ -e " + go
                + " ]; do sleep 0.1; done; echo done']}}";
        try (Cluster cluster =
                Cluster.start(homes, HomeFixture.hooks(), "agents: {defaults: {model: gate/x}}", provider)) {
            String run = cluster.node(0).sender().post("agent", WAIT).text("runId");
            URI one = cluster.node(0).postern().base();
            URI other = cluster.node(1).postern().base();
            EventStream first = follow(one, run);
            EventStream second = follow(other, run);
            assertThat(first.idsBefore("0.1.running")).containsExactly("0.0.queued");
            assertThat(second.idsBefore("0.1.running")).containsExactly("0.0.queued");
            EventStream changed = follow(other, run, "Last-Event-ID: 0.0.queued");
            changed.idsBefore("0.1.running");
            Files.createFile(go);

            List<String> end = List.of("0.1.ended", "0.1.reply", "0.1.end");
            assertThat(first.ids()).isEqualTo(end);
            assertThat(second.ids()).isEqualTo(end);
            assertThat(changed.ids()).isEqualTo(end);
        }
    }

    @Test
    void comesThroughNginxAtOnceAndOutlastsQuiet() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome().settingsWithProgram(HomeFixture.hooks(), PROGRAM);
        PosternProcess postern = home.start();
        Nginx nginx = Nginx.start(home, postern.base(), postern.base());
        String run = nginx.sender().post("agent", WAIT).text("runId");
        EventStream stream = follow(nginx.base(), run);
        assertThat(stream.idsBefore("0.1.running")).containsExactly("0.0.queued");

        long begun = System.nanoTime();
        await().atMost(LONGEST).until(() -> System.nanoTime() - begun > QUIET.toNanos());
        home.file("agents/main/go", "");

        assertThat(stream.ids()).containsExactly("0.1.ended", "0.1.reply", "0.1.end");
        assertThat(stream.comments()).isPositive();
        assertThat(stream.isWhole()).isTrue();
    }

    /** The others get everything meanwhile, and no thread waits for it. */
    @Tag("long")
    @Test
    void dropsClientsThatNeverRead() throws Exception {
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settings(
                        HomeFixture.hooks(),
                        "agents: {defaults: {model: gate/x}}",
                        "providers: {gate: {kind: command, command: [sh, -c, 'until [ -e go ]; do sleep 0.1; done; head -c "
                                + LARGE_REPLY + " /dev/zero | tr \"\\0\" x']}}");
        PosternProcess postern = home.start();
        String run = postern.sender().post("agent", WAIT).text("runId");
        List<EventStream> silent = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            silent.add(EventStream.open(address(postern.base(), run), HomeFixture.TOKEN, SMALL_WINDOW));
        }
        EventStream reader = follow(postern.base(), run);
        reader.idsBefore("0.1.running");
        home.file("agents/main/go", "");

        assertThat(reader.ids()).containsExactly("0.1.ended", "0.1.reply", "0.1.end");
        // A second crowd is a sign that the first one has gone: together they would be too many.
        await().atMost(LONGEST).until(() -> {
            List<EventStream> crowd = new ArrayList<>();
            boolean fits = true;
            for (int i = 0; i < 100 && fits; i++) {
                EventStream one = EventStream.open(address(postern.base(), run), HomeFixture.TOKEN, SMALL_WINDOW);
                crowd.add(one);
                fits = one.status() == 200;
            }
            for (EventStream one : crowd) {
                one.reset();
            }
            return fits;
        });
        for (EventStream one : silent) {
            assertThat(one.ids()).doesNotContain("0.1.end");
        }
        assertThat(postern.log()).doesNotContain("SEVERE", "Exception");
    }

    static EventStream follow(URI base, String run, String... headers) throws IOException {
        return EventStream.open(address(base, run), HomeFixture.TOKEN, headers);
    }

    static URI address(URI base, String run) {
        return base.resolve("/hooks/runs/" + run);
    }
}
