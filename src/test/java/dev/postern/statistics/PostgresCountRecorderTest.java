package dev.postern.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.model.RequestLogEntry;
import dev.postern.store.BreakableDataSource;
import dev.postern.store.SettableClock;
import dev.postern.store.Store;
import dev.postern.store.TestDatabases;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PostgresCountRecorderTest extends CountRecorderContract {

    @Override
    TestDatabases.Opener database(Path home) {
        return TestDatabases.postgres(home);
    }

    @Override
    String refusal() {
        return "ALTER TABLE period_count ADD CONSTRAINT away CHECK (number < 0) NOT VALID";
    }

    @Override
    String endOfRefusal() {
        return "ALTER TABLE period_count DROP CONSTRAINT away";
    }

    @Test
    void countsOnceWhatAnUnconfirmedCommitHasWritten() throws Exception {
        BreakableDataSource database = new BreakableDataSource();
        SettableClock clock = new SettableClock();
        try (Store store = Store.open(database.source(), home.resolve("broken"), "test", clock)) {
            CountRecorder recorder = new CountRecorder(store, "cnt_1", Set.of("wake"), clock);
            recorder.accept(new RequestLogEntry(
                    /* requestId= */ "req_1",
                    /* at= */ clock.instant(),
                    /* client= */ "",
                    /* credential= */ "bearer",
                    /* sender= */ null,
                    /* hook= */ "wake",
                    /* mapping= */ "",
                    /* status= */ 200,
                    /* code= */ "accepted",
                    /* detail= */ "",
                    /* bytes= */ 1,
                    /* micros= */ 1,
                    /* became= */ List.of()));
            database.breakAtCommit(true);
            recorder.close();
            database.breakAtCommit(false);

            recorder.close();

            CountRecorder next = new CountRecorder(store, "cnt_2", Set.of("wake"), clock);
            assertThat(new CountQueries(next).periods(CountRange.QUARTER_HOUR))
                    .extracting(period -> period.count(CountKind.ACCEPTED))
                    .endsWith(0L, 1L);
        }
    }
}
