package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.it.ProofReport;
import jakarta.mail.Flags;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A test that each mail becomes one run, even if processes are killed and connections are cut while mails arrive.
 * {@code -Dit.mails}, {@code -Dit.mail.kills} and {@code -Dit.mail.drops} set the numbers. {@code -Dit.seed} chooses
 * the moments of an earlier run again, as far as a clock can.
 */
@Tag("long")
@Tag("mail")
@Timeout(600)
class MailKillIT {

    private static final int MAILS = Integer.getInteger("it.mails", 1000);
    private static final int KILLS = Integer.getInteger("it.mail.kills", 10);
    private static final int DROPS = Integer.getInteger("it.mail.drops", 10);
    private static final long SEED = Long.getLong("it.seed", System.nanoTime());
    private static final int MAILS_A_SECOND = 40;
    private static final Duration LONGEST = Duration.ofSeconds(90);

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    @RegisterExtension
    final MailServer mails = new MailServer();

    private final Random random = new Random(SEED);
    private final AtomicInteger delivered = new AtomicInteger();
    private final AtomicReference<TestMail> last = new AtomicReference<>();

    @Test
    void makesExactlyOneRunOfEachMailOverKillsAndDroppedConnections() throws Exception {
        DroppingProxy way = mails.proxy();
        HomeFixture home =
                homeFixtureExtension.newHome().settings(MailServer.watched(way.port(), MailServer.withPassword()));
        Instant began = Instant.now();
        PosternProcess postern = home.start();
        MailRuns.awaitWatched(postern);
        ScheduledExecutorService postman = Executors.newSingleThreadScheduledExecutor();
        Future<?> rounds = postman.scheduleAtFixedRate(
                this::deliver, 0, TimeUnit.SECONDS.toNanos(1) / MAILS_A_SECOND, TimeUnit.NANOSECONDS);
        try {
            for (int life = 0; life < KILLS; life++) {
                for (int drop = life * DROPS / KILLS; drop < (life + 1) * DROPS / KILLS; drop++) {
                    pass(random.nextInt(700));
                    way.drop();
                }
                pass(random.nextInt(700));
                postern.kill();
                postern = home.start();
            }
        } finally {
            rounds.cancel(false);
            postman.shutdown();
        }
        assertThat(postman.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        int afterwards = MAILS - delivered.get();
        while (delivered.get() < MAILS) {
            deliver();
        }

        List<String> expected =
                IntStream.rangeClosed(1, MAILS).mapToObj(MailKillIT::subject).toList();
        try (HomeDatabase database = home.database()) {
            MailRuns runs = new MailRuns(database);
            runs.await(MAILS, LONGEST);
            String figures = String.format(
                    "%d kills and %d drops (seed %d): %d mails, %d of them in the end, %d runs, %d connections, %s",
                    KILLS,
                    DROPS,
                    SEED,
                    MAILS,
                    afterwards,
                    runs.subjects().size(),
                    way.accepted(),
                    Duration.between(began, Instant.now()));
            System.out.println(figures);
            mails.deliver(last.get());
            mails.deliver(TestMail.about("the last one"));
            runs.await(MAILS + 1, LONGEST);
            assertThat(postern.stop()).isZero();
            assertThat(runs.subjects()).containsOnlyOnceElementsOf(expected).hasSize(MAILS + 1);
            ProofReport.add("mail", figures);
            assertThat(database.column("SELECT id FROM run WHERE state <> 'succeeded'"))
                    .isEmpty();
            assertThat(database.column("PRAGMA integrity_check")).containsExactly("ok");
        }
        assertThat(mails.inbox()).hasSize(MAILS + 2).noneMatch(mail -> mail.isSet(Flags.Flag.SEEN));
    }

    private void deliver() {
        int number = delivered.get() + 1;
        if (number <= MAILS) {
            TestMail mail = TestMail.about(subject(number));
            mails.deliver(mail);
            last.set(mail);
            delivered.set(number);
        }
    }

    private static String subject(int number) {
        return String.format("mail %04d", number);
    }

    /** Lets the time pass that the chosen moment is away. */
    private static void pass(int milliseconds) {
        Instant end = Instant.now().plusMillis(milliseconds);
        await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5)).until(() -> Instant.now()
                .isAfter(end));
    }
}
