package dev.postern.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class PostgresStoreTest extends StoreContract {

    private final BreakingSource wire = new BreakingSource();

    @Override
    Databases.Opener database(Path home) {
        return Databases.postgres(home);
    }

    @Test
    void refusesAHomeThatIsInUseHoweverItsDatabaseIsReached() throws Exception {
        Path shared = home.resolve("shared");
        try (Store first = Store.open(wire.source(), shared, "first", clock)) {
            assertThatThrownBy(() -> Store.open(wire.source(), shared, "second", clock))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("the home [" + shared + "] is in use by another Postern (process "
                            + ProcessHandle.current().pid() + ")");
            assertThatThrownBy(() -> Store.open(shared, "second", clock)).hasMessageContaining("is in use");
            Store.open(wire.source(), home.resolve("other"), "third", clock).close();
            assertThat(first.takesWrites()).isTrue();
        }
        Store.open(wire.source(), shared, "second", clock).close();
    }

    @Test
    void keepsToItselfTheRowThatPostgresqlQuotes() throws Exception {
        try (StoreLog log = new StoreLog();
                Store bound = Store.open(wire.source(), home.resolve("bound"), "bound", clock)) {
            for (int i = 0; i < 2; i++) {
                CompletableFuture<int[]> written = bound.write(sql -> sql.batch(
                        "INSERT INTO node (id, started_at, seen_at) VALUES (?, ?, ?)",
                        List.of(new Object[] {"s3cret", 1, 1}, new Object[] {"another s3cret", 1, 1})));
                if (i == 1) {
                    assertThatThrownBy(written::join)
                            .cause()
                            .isInstanceOf(StoreException.class)
                            .hasMessage("the database did not take it: BatchUpdateException, SQLState 23505")
                            .cause()
                            .hasMessageContaining("s3cret");
                } else {
                    assertThat(written.join()).hasSize(2);
                }
            }

            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .doesNotContain("s3cret")
                    .contains("23505");
        }
    }
}
