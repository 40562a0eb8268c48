package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.postern.observe.HealthCheck;
import dev.postern.observe.HealthChecks;
import dev.postern.observe.Readiness;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SupervisionTest {

    @TempDir
    Path home;

    private Store store;
    private HealthChecks health;

    @BeforeEach
    void open() throws StoreException {
        store = Store.open(home, "test", InstantSource.system());
        health = Supervision.health(store);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void isNotReadyWhileWritesFail() throws Exception {
        assertThat(health.ready().ready()).isTrue();
        assertThatThrownBy(() -> store.<Integer>writeAndWait(sql -> sql.update("UPDATE nowhere SET x = 1")))
                .isInstanceOf(StoreException.class);

        await().until(() -> !health.ready().ready());
        assertThat(health.ready().findings())
                .contains(new Readiness.Finding(
                        "database",
                        new HealthCheck.Down("the database does not take what is written; the log says more")));
        assertThat(health.live()).isTrue();
        int written = store.writeAndWait(
                sql -> sql.update("INSERT INTO node (id, started_at, seen_at) VALUES ('this', 1, 1)"));
        assertThat(written).isEqualTo(1);
        await().until(() -> health.ready().ready());
    }

    @Test
    void isNeitherReadyNorLiveWithoutItsCommitThread() {
        store.close();

        assertThat(health.live()).isFalse();
        assertThat(health.ready().findings())
                .containsExactly(
                        new Readiness.Finding("commits", new HealthCheck.Down("the thread that commits has ended")),
                        new Readiness.Finding(
                                "database", new HealthCheck.Down("the database does not answer; the log says more")));
    }
}
