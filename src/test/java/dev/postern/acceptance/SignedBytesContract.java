package dev.postern.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.postern.model.HookResult;
import dev.postern.store.TestDatabases;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of requests that are authenticated by their signature alone, on every database. */
abstract class SignedBytesContract {

    private static final int CROWD = 16;

    @TempDir
    Path home;

    private TestDatabases.Opener database;
    private AcceptanceFixture fixture;

    abstract TestDatabases.Opener database(Path home);

    @BeforeEach
    void open() throws Exception {
        database = database(home);
        fixture = new AcceptanceFixture(database, 100);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void refusesOtherContentUnderAKeyThatStandsForItsContent() throws Exception {
        accept(new IdempotencyKey("k", "01", true, "aa"));

        assertThat(submit(new IdempotencyKey("k", "02", true, "bb"))).isEqualTo(new HookResult.IdempotencyConflict());
        assertThat(accept(new IdempotencyKey("k2", "02", true, "bb")).replayed())
                .isFalse();
        assertThat(count("run")).isEqualTo(2);
    }

    @Test
    void answersTheSameBytesAgainWhateverTheyAreCalled() throws Exception {
        HookResult.Accepted first = accept(new IdempotencyKey("k", "01", false, "aa"));

        for (@Nullable String name : new @Nullable String[] {"k", "other", null}) {
            for (boolean bindsContent : new boolean[] {true, false}) {
                HookResult.Accepted again = accept(key(name, bindsContent, "aa"));
                assertThat(again.replayed()).isTrue();
                assertThat(again.receipts()).isEqualTo(first.receipts());
            }
        }
        assertThat(count("run")).isEqualTo(1);
    }

    @Test
    void answersTheSameBytesAgainThatHadNoNameAtFirst() throws Exception {
        HookResult.Accepted first = accept(key(null, false, "aa"));

        assertThat(accept(key("k", true, "aa")).receipts()).isEqualTo(first.receipts());
        assertThat(accept(key(null, false, "aa")).replayed()).isTrue();
        assertThat(count("run")).isEqualTo(1);
    }

    @Test
    void usesUpNoNameThatARepetitionCameUnder() {
        accept(key("k", false, "aa"));
        accept(key("next", false, "aa"));

        assertThat(accept(new IdempotencyKey("next", "02", false, "bb")).replayed())
                .isFalse();
    }

    @Test
    void remembersOtherBytesUnderASendersIdAsARepetition() throws Exception {
        HookResult.Accepted first = accept(new IdempotencyKey("k", "01", false, "aa"));

        assertThat(accept(new IdempotencyKey("k", "02", false, "bb")).receipts())
                .isEqualTo(first.receipts());
        assertThat(accept(new IdempotencyKey("other", "02", false, "bb")).receipts())
                .isEqualTo(first.receipts());
        assertThat(count("run")).isEqualTo(1);
    }

    @Test
    void answersARepetitionWhereThereIsNoRoom() throws Exception {
        try (AcceptanceFixture full = new AcceptanceFixture(database(Files.createDirectory(home.resolve("full"))), 1)) {
            Submission first = submission(key("k", false, "aa"));
            full.intake.accept(first);

            assertThat(full.intake.accept(submission(key("other", false, "aa"))))
                    .asInstanceOf(type(HookResult.Accepted.class))
                    .satisfies(again -> assertThat(again.replayed()).isTrue());
            assertThat(full.intake.accept(submission(key(null, false, "bb"))))
                    .isInstanceOf(HookResult.Overloaded.class);
        }
    }

    @Test
    void forgetsNameAndBytesInTimeThoughTheyWereUsedApart() throws Exception {
        accept(key("k", false, "aa"));
        accept(key("l", false, "bb"));
        fixture.clock.advance(AcceptanceFixture.TTL.minus(Duration.ofMillis(1)));
        assertThat(accept(key("other", false, "bb")).replayed()).isTrue();
        fixture.clock.advance(Duration.ofMillis(1));

        assertThat(accept(key("k", false, "bb")).replayed()).isFalse();
        assertThat(accept(key("l", false, "bb")).replayed()).isTrue();
        assertThat(accept(key(null, false, "aa")).replayed()).isFalse();
        assertThat(count("run")).isEqualTo(4);
    }

    @Test
    void remembersThemOverARestart() throws Exception {
        HookResult.Accepted first = accept(key(null, false, "aa"));
        fixture.close();
        fixture = new AcceptanceFixture(database);

        assertThat(accept(key("k", true, "aa")).receipts()).isEqualTo(first.receipts());
    }

    @Test
    void actsOnceForTheSameBytesAtOneTime() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CROWD);
        CyclicBarrier start = new CyclicBarrier(CROWD);
        List<Future<HookResult.Accepted>> sent = new ArrayList<>();
        IntStream.range(0, CROWD)
                .forEach(i -> sent.add(threads.submit(() -> {
                    start.await();
                    return accept(key(i % 4 == 0 ? null : "k" + i, i % 2 == 0, "aa"));
                })));
        List<HookResult.Accepted> answers = new ArrayList<>();
        for (Future<HookResult.Accepted> answer : sent) {
            answers.add(answer.get());
        }
        threads.shutdown();

        assertThat(threads.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        assertThat(answers).filteredOn(answer -> !answer.replayed()).hasSize(1);
        assertThat(answers)
                .extracting(HookResult.Accepted::receipts)
                .containsOnly(answers.get(0).receipts());
        assertThat(count("run")).isEqualTo(1);
        assertThat(fixture.intake.pending()).isEqualTo(1);
    }

    private HookResult.Accepted accept(IdempotencyKey key) {
        HookResult acceptance = submit(key);
        assertThat(acceptance).isInstanceOf(HookResult.Accepted.class);
        return (HookResult.Accepted) acceptance;
    }

    private HookResult submit(IdempotencyKey key) {
        return fixture.intake.accept(submission(key));
    }

    private static Submission submission(IdempotencyKey key) {
        return new Submission(List.of(AcceptanceFixture.turn("hook:a")), key, 17, new byte[] {1, 2}, null, null);
    }

    private static IdempotencyKey key(@Nullable String name, boolean bindsContent, String signed) {
        return name == null
                ? IdempotencyKey.ofSigned(signed, "01")
                : new IdempotencyKey(name, "01", bindsContent, signed);
    }

    private long count(String table) throws Exception {
        return fixture.store.read(sql -> sql.first("SELECT count(*) AS n FROM " + table, row -> row.number("n"))
                .orElseThrow());
    }
}
