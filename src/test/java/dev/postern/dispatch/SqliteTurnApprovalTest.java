package dev.postern.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.model.RunId;
import dev.postern.store.StoreException;
import dev.postern.store.TestDatabases;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteTurnApprovalTest extends TurnApprovalContract {

    @TempDir
    Path home;

    @Override
    DispatchFixture scenario() {
        return new DispatchFixture(home, TestDatabases.sqlite(home));
    }

    @Test
    void questionEndsInTimeAfterTheClockWasSetBack() throws StoreException {
        RunId run = paused("hook:1");

        fixture.time.jump(Duration.ofHours(-1));
        long end = fixture.time.instant().plus(WITHIN).toEpochMilli();
        await("the correction").until(() -> !fixture.texts("SELECT id AS text FROM approval WHERE expires_at <= " + end)
                .isEmpty());
        fixture.time.advance(WITHIN);

        assertThat(fixture.ended(run).reply()).isEqualTo("[EXPIRED]");
    }
}
