package dev.postern.requests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.acceptance.Submission;
import dev.postern.acceptance.SubmissionSource;
import dev.postern.model.HookRequest;
import dev.postern.model.HookResult;
import dev.postern.model.RequestOrigin;
import dev.postern.store.BreakableDataSource;
import dev.postern.store.Store;
import dev.postern.store.TestDatabases;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class PostgresRequestLogTest extends RequestLogContract {

    @Override
    TestDatabases.Opener database(Path home) {
        return TestDatabases.postgres(home);
    }

    @Test
    void keepsTheRowOfACommitThatWasNotConfirmedAndReportsNoFailureForIt() throws Exception {
        BreakableDataSource wire = new BreakableDataSource();
        try (Store bound = Store.open(wire.source(), home.resolve("bound"), "bound", clock)) {
            RequestWriter writer = writer(bound);
            HookRequest request = request("github", "{}");
            RequestOrigin origin = origin(request);
            Submission submission = submission(
                    "key", new SubmissionSource(origin, "github", "issues", clock.instant(), null, null), turn());
            wire.breakAtCommit(true);
            HookResult result = intake(bound).accept(submission);
            wire.breakAtCommit(false);
            int worksAgain = bound.writeAndWait(sql -> sql.update("UPDATE run SET attempts = attempts"));

            writer.record(request, origin, "issues", result);
            int behind = bound.writeAndWait(sql -> 0);

            assertThat(result).isInstanceOf(HookResult.Uncertain.class);
            assertThat(worksAgain + behind).isEqualTo(1);
            assertThat(bound.takesWrites()).isTrue();
            assertThat(bound.metrics().failed()).isEqualTo(1);
            assertThat(writer.dropped()).isZero();
            assertThat(new RequestQueries(bound).find(origin.requestId())).hasValueSatisfying(found -> {
                assertThat(found.request().status()).isEqualTo(202);
                assertThat(found.request().became()).hasSize(1);
            });
        }
    }
}
