package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.it.ProofReport;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A test of the responses behind the shipped nginx.conf with a real nginx, while its two nodes can't accept anything.
 */
@Tag("outage")
@Tag("alone")
class NginxOutageIT {

    private static final Duration AWAY = Duration.ofSeconds(Integer.getInteger("it.away", 8));
    private static final Duration LONGEST = Duration.ofSeconds(30);
    /** A node looks for its database again every second or so. */
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(3);

    private static final AtomicInteger COUNT = new AtomicInteger();

    @RegisterExtension
    static final PostgresServer SERVER = new PostgresServer(new EmbeddedPostgresDistribution());

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    @Test
    void passesOnThatTheDatabaseIsAwayAndThatItIsBack() throws Exception {
        Nginx nginx = start(
                "mappings: [{id: mapped, match: {path: mapped}, deliver: false, messageTemplate: '{{payload.message}}'}]");
        RetryingLoad load = RetryingLoad.begin(nginx.sender());
        await().atMost(LONGEST).until(() -> load.taken().size() > 30);
        assertThat(load.unavailableCount()).isZero();

        SERVER.stop();
        long away = System.nanoTime();
        await().atMost(AWAY.plus(LONGEST))
                .until(() -> load.unavailableCount() > 30 && since(away).compareTo(AWAY) > 0);
        SERVER.startAgain();

        long back = System.nanoTime();
        int before = load.taken().size();
        sees(LONGEST_PAUSE).until(() -> load.taken().size() > before);
        Duration first = since(back);
        await().atMost(LONGEST).until(() -> load.taken().size() > before + 60);
        load.end();

        String figures = String.format(
                "behind nginx, away %d s: %d taken, %d put off, the first taken %d ms after it was back",
                AWAY.toSeconds(), load.taken().size(), load.unavailableCount(), first.toMillis());
        System.out.println(figures);
        assertThat(load.faults()).isEmpty();
        ProofReport.add("outage", figures);
    }

    @Test
    void passesOnThatTooMuchIsWaiting() throws Exception {
        HookSender sender = start("maxPending: 2").sender();
        String wake = "{\"text\":\"a\",\"mode\":\"next-heartbeat\"}";
        await().atMost(LONGEST).until(() -> sender.post("wake", wake).status() == 503);

        for (int i = 0; i < 40; i++) {
            PosternResponse posternResponse =
                    i % 2 == 0 ? sender.post("wake", wake) : sender.post("wake", wake, "Idempotency-Key", "key " + i);
            assertThat(posternResponse.status()).as(posternResponse.toString()).isEqualTo(503);
            assertThat(posternResponse.text("code")).isEqualTo("overloaded");
            assertThat(posternResponse.header("Retry-After")).matches("[1-9][0-9]*");
        }
    }

    @Test
    void asksTheOtherNodeWhereOneIsDead() throws Exception {
        String database = database();
        PosternProcess dead = node(database, "maxPending: 1000").start();
        HomeFixture home = node(database, "maxPending: 1000");
        HookSender sender = Nginx.start(home, dead.base(), home.start().base()).sender();
        dead.kill();

        for (int i = 0; i < 20; i++) {
            String body = "{\"text\":\"" + i + "\"}";
            PosternResponse posternResponse =
                    i % 2 == 0 ? sender.post("wake", body) : sender.post("wake", body, "Idempotency-Key", "key " + i);
            assertThat(posternResponse.status()).as(posternResponse.toString()).isEqualTo(200);
        }
    }

    /** Two nodes on one database, and nginx in front of them. */
    private Nginx start(String hooks) throws IOException, SQLException {
        String database = database();
        HomeFixture one = node(database, hooks);
        HomeFixture other = node(database, hooks);
        return Nginx.start(one, one.start().base(), other.start().base());
    }

    private static String database() throws SQLException {
        String name = "outage" + COUNT.incrementAndGet();
        SERVER.database(name);
        return name;
    }

    private HomeFixture node(String database, String hooks) throws IOException {
        return homeFixtureExtension
                .newHome()
                .settings(
                        HomeFixture.hooks(hooks),
                        "agents: {defaults: {heartbeat: {every: off}}}",
                        "database: {url: '" + SERVER.url(database) + "', username: " + database + ", password: "
                                + database + "}");
    }

    private static ConditionFactory sees(Duration longest) {
        return await().atMost(longest).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(20));
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }
}
