package dev.postern.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadOnlyStoreTest {

    private static final InstantSource CLOCK = InstantSource.system();
    private static final String NEWEST = "SELECT max(version) AS newest FROM schema_version";

    @TempDir
    Path home;

    @Test
    void refusesAHomeWithoutADatabase() {
        assertThatThrownBy(() -> ReadOnlyStore.open(null, null, null, home))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("is not there yet");
        assertThat(home).isEmptyDirectory();
    }

    @Test
    void refusesASchemaThatLacksSteps() throws Exception {
        try (Store store = Store.open(home, "test", CLOCK)) {
            store.writeAndWait(sql -> sql.update("DELETE FROM schema_version WHERE version > 10"));

            assertThatThrownBy(() -> ReadOnlyStore.open(null, null, null, home))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("has schema 10, and this program needs schema " + Store.knownSchema());
        }
    }

    @Test
    void writesNothing() throws Exception {
        try (Store store = Store.open(home, "test", CLOCK);
                ReadOnlyStore beside = ReadOnlyStore.open(null, null, null, home)) {
            assertThatThrownBy(() -> beside.read(sql -> sql.update("UPDATE schema_version SET applied_at = 0")))
                    .isInstanceOf(StoreException.class);
            int rows = store.writeAndWait(sql -> sql.update("UPDATE schema_version SET applied_at = 0"));
            assertThat(rows).isPositive();
        }
    }

    @Test
    void writesNothingToPostgres() throws Exception {
        String url = TestDatabases.newPostgresUrl() + "&password=postgres";
        try (Store store = Store.open(url, null, null, home, "test", CLOCK);
                ReadOnlyStore beside = ReadOnlyStore.open(url, null, null, home)) {
            assertThatThrownBy(() -> beside.read(sql -> sql.update("UPDATE schema_version SET applied_at = 0")))
                    .isInstanceOf(StoreException.class);
            assertThat(newest(beside)).isEqualTo(newest(store));
        }
    }

    @Test
    void readsWhatAClosedStoreHasWritten() throws Exception {
        Store.open(home, "test", CLOCK).close();
        List<String> before = files();

        try (ReadOnlyStore alone = ReadOnlyStore.open(null, null, null, home)) {
            assertThat(newest(alone)).isEqualTo(Store.knownSchema());
        }

        assertThat(files()).isEqualTo(before);
    }

    @Test
    void unpacksLibraryInHomeForTheTimeItIsOpen() throws Exception {
        Store.open(home, "test", CLOCK).close();
        Path killed = Files.createDirectory(home.resolve("work/sqlite/command-killed"));

        try (ReadOnlyStore alone = ReadOnlyStore.open(null, null, null, home)) {
            assertThat(newest(alone)).isEqualTo(Store.knownSchema());
            assertThat(commands()).hasSize(2);
        }
        assertThat(commands()).containsExactly(killed);

        Store.open(home, "test", CLOCK).close();
        assertThat(commands()).isEmpty();
    }

    private List<Path> commands() throws Exception {
        try (Stream<Path> files = Files.list(home.resolve("work/sqlite"))) {
            return files.filter(file -> file.getFileName().toString().startsWith("command-"))
                    .toList();
        }
    }

    private static int newest(StoreReader reader) throws StoreException {
        return reader.read(sql -> sql.first(NEWEST, row -> row.count("newest")).orElseThrow());
    }

    private List<String> files() throws Exception {
        try (Stream<Path> all = Files.walk(home)) {
            return all.map(Path::toString).sorted().toList();
        }
    }
}
