package dev.postern.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.approval.ApprovalRepository;
import dev.postern.approval.ApprovalRepository.Written;
import dev.postern.model.ApprovalDecision;
import dev.postern.model.IdGenerator;
import dev.postern.model.RunId;
import dev.postern.store.Store;
import dev.postern.store.TestDatabases;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("long")
class PostgresTurnApprovalTest extends TurnApprovalContract {

    @TempDir
    Path home;

    private TestDatabases.Opener database;

    @Override
    DispatchFixture scenario() {
        database = TestDatabases.postgres(home);
        return new DispatchFixture(home, database);
    }

    @Test
    void oneOfTwoDecisionsOnTwoNodesSeesTheOther() throws Exception {
        backend.calls = 2;
        RunId run = paused("hook:1");
        List<String> calls = approvals(run);
        ApprovalRepository repository = new ApprovalRepository(new IdGenerator(fixture.time));
        Instant now = fixture.time.instant();
        CountDownLatch mayCommit = new CountDownLatch(1);
        CountDownLatch isDecided = new CountDownLatch(1);

        try (Store other = database.open(fixture.time)) {
            CompletableFuture<Written> first = other.write(sql -> {
                Written written = repository.decide(sql, calls.get(0), ApprovalDecision.APPROVED, "ann", now);
                isDecided.countDown();
                awaitUninterrupted(mayCommit);
                return written;
            });
            assertThat(isDecided.await(30, TimeUnit.SECONDS)).isTrue();
            CompletableFuture<Written> second = fixture.store.write(
                    sql -> repository.decide(sql, calls.get(1), ApprovalDecision.APPROVED, "bob", now));
            // It waits for a lock no longer than 400 ms.
            await("the second decision, or its wait for the first")
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> second.isDone()
                            || !fixture.texts("SELECT 'waits' AS text FROM pg_locks WHERE NOT granted")
                                    .isEmpty());
            mayCommit.countDown();

            assertThat(Stream.of(first.get(30, TimeUnit.SECONDS), second.get(30, TimeUnit.SECONDS))
                            .map(Written::run)
                            .filter(Objects::nonNull))
                    .containsExactly(run);
        }
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
