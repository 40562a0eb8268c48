package dev.postern.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The schema of a home that other versions have worked with. */
@Timeout(60)
class MigratorTest {

    private static final InstantSource CLOCK = InstantSource.system();

    @TempDir
    Path home;

    @Test
    void refusesASchemaOfANewerVersion() throws Exception {
        change("INSERT INTO schema_version VALUES (99, 'V099__later.sql', 'ffffffff', 1)");

        assertThatThrownBy(() -> Store.open(home, "test", CLOCK))
                .isInstanceOf(StoreException.class)
                .hasMessageMatching(
                        "the database has schema 99, made by a newer version; this one knows schema \\d: run"
                                + " the newer version, or restore a backup");
    }

    @Test
    void refusesASchemaThatWasMadeOtherwise() throws Exception {
        change("UPDATE schema_version SET checksum = 'ffffffff' WHERE version = 1");

        assertThatThrownBy(() -> Store.open(home, "test", CLOCK))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("[V001__intake.sql] was applied in another form [ffffffff]");
    }

    @Test
    void leavesNothingOfAStepThatFails() throws Exception {
        SqliteDriver.load(home);
        SqliteFile database = SqliteFile.open(home.resolve("new.db"));
        Migrator broken = new Migrator(List.of("V001__intake.sql", "test-broken.sql"), CLOCK);

        assertThatThrownBy(() -> broken.migrate(database)).isInstanceOf(StoreException.class);
        List<String> tables =
                database.read(sql -> sql.query("SELECT name FROM sqlite_master", row -> row.text("name")));
        assertThat(tables).isEmpty();
        database.close();
    }

    @Test
    void saysThatAStepIsMissingFromTheBuild() throws Exception {
        SqliteDriver.load(home);
        SqliteFile database = SqliteFile.open(home.resolve("new.db"));

        assertThatThrownBy(() -> new Migrator(List.of("V001__gone.sql"), CLOCK).migrate(database))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("[V001__gone.sql]");
        database.close();
    }

    @Test
    void letsNodesThatStartTogetherMigrateOneAfterTheOther() {
        Databases.Opener shared = Databases.postgres(home);

        List<CompletableFuture<Dialect>> nodes = IntStream.range(0, 4)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> {
                    try (Store store = shared.open(CLOCK)) {
                        return store.dialect();
                    } catch (StoreException e) {
                        throw new IllegalStateException(e);
                    }
                }))
                .toList();

        assertThat(nodes).allSatisfy(node -> assertThat(node.join()).isEqualTo(Dialect.POSTGRESQL));
    }

    private void change(String statement) throws StoreException {
        try (Store store = Store.open(home, "test", CLOCK)) {
            int changed = store.writeAndWait(sql -> sql.update(statement));
            assertThat(changed).isEqualTo(1);
        }
    }
}
