package dev.postern.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.model.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatabaseProbeTest {

    private static final InstantSource CLOCK = InstantSource.system();

    @TempDir
    Path top;

    private Path home;
    private Path file;

    @BeforeEach
    void nameHome() {
        home = top.resolve("home with 100 %");
        file = home.resolve("data/postern.db");
    }

    @Test
    void refusesAFileThatIsNoDatabase() throws Exception {
        Files.createDirectories(file.resolveSibling("."));
        Files.writeString(file, "this is no database ".repeat(1_000));

        assertThatThrownBy(() -> DatabaseProbe.sqlite(file, top))
                .isInstanceOf(StoreException.class)
                .hasMessageStartingWith("SQLite in " + file + " can't be read: ");
    }

    @Test
    void refusesASchemaThatANewerProgramHasMade() throws Exception {
        try (Store store = Store.open(home, "test", CLOCK)) {
            store.writeAndWait(sql -> sql.update(
                    "INSERT INTO schema_version (version, name, checksum, applied_at) VALUES (999, 'V999', 'x', 0)"));
        }

        assertThatThrownBy(() -> DatabaseProbe.sqlite(file, top))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("made by a newer version");
    }

    @Test
    void refusesAPostgresThatIsNotThere() {
        assertThatThrownBy(
                        () -> DatabaseProbe.postgres("jdbc:postgresql://127.0.0.1:1/none?password=hunter2", null, null))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("cannot open the database [jdbc:postgresql://127.0.0.1:1/none]")
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void givesNoAdviceOnLoginWhereServerLacksTls() {
        String url = TestDatabases.newPostgresUrl() + "&sslmode=require";

        for (Secret password : Arrays.asList(null, new Secret("hunter2"))) {
            assertThatThrownBy(() -> DatabaseProbe.postgres(url, null, password))
                    .isInstanceOf(StoreException.class)
                    .hasMessageEndingWith("The server does not support SSL.");
        }
    }

    @Test
    void refusesPostgresThatTakesNoWrites() {
        String url = TestDatabases.newPostgresUrl() + "&options=-c%20default_transaction_read_only=on";

        assertThatThrownBy(() -> DatabaseProbe.postgres(url, null, null))
                .isInstanceOf(StoreException.class)
                .hasMessageEndingWith(
                        " is read-only: default_transaction_read_only is on for this user, database or server");
    }

    @Test
    void takesParametersOfUrlBeforeSettings() throws Exception {
        assertThat(DatabaseProbe.postgres(TestDatabases.newPostgresUrl(), "nobody", null))
                .contains(" opens, ");
    }

    @Test
    void makesNoDatabaseWhereThereIsNone() throws Exception {
        Files.createDirectories(home);

        assertThat(DatabaseProbe.sqlite(file, top))
                .isEqualTo("SQLite in " + file + " is not there yet; the first start makes it");
        assertThat(home).isEmptyDirectory();
    }

    @Test
    void readsTheSchemaAndChangesNothing() throws Exception {
        Store.open(home, "test", CLOCK).close();
        List<String> before = files();

        assertThat(DatabaseProbe.sqlite(file, top))
                .isEqualTo("SQLite in " + file + " opens, with schema " + Store.knownSchema());
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void readsTheSchemaWhileAPosternRuns() throws Exception {
        try (Store store = Store.open(home, "test", CLOCK)) {
            store.writeAndWait(sql -> sql.update("DELETE FROM schema_version WHERE version > 10"));
            List<String> before = files();

            assertThat(DatabaseProbe.sqlite(file, top))
                    .isEqualTo("SQLite in " + file + " opens, with schema 10; the next start brings it to schema "
                            + Store.knownSchema());
            assertThat(files()).isEqualTo(before);
            int rows = store.writeAndWait(sql -> sql.update("UPDATE schema_version SET applied_at = 0"));
            assertThat(rows).isEqualTo(10);
        }
    }

    private List<String> files() throws IOException {
        try (Stream<Path> all = Files.walk(home.resolve("data"))) {
            return all.map(Path::toString).sorted().toList();
        }
    }
}
