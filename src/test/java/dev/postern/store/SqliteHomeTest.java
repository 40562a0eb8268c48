package dev.postern.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.model.Secret;
import dev.postern.observe.PackageLogCapture;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

class SqliteHomeTest {

    private static final InstantSource CLOCK = InstantSource.system();

    @TempDir
    Path home;

    @Test
    void refusesAHomeThatAnotherWebAppOfThisProcessUses() throws Exception {
        try (Store first = Store.open(home, "first", CLOCK)) {
            assertThatThrownBy(() -> Store.open(home, "second", CLOCK))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("the home [" + home + "] is in use by another Postern")
                    .hasMessageContaining("process " + ProcessHandle.current().pid());
            assertThat(first.metrics().failed()).isZero();
        }
    }

    @Test
    void staysLockedForOtherProcessesWhenAWebAppOfThisOneWasRefused() throws Exception {
        Path link = Files.createSymbolicLink(home.resolveSibling(home.getFileName() + "-link"), home);
        try (Store first = Store.open(home, "first", CLOCK)) {
            assertThatThrownBy(() -> Store.open(home, "second", CLOCK)).hasMessageContaining("in use");
            assertThatThrownBy(() -> Store.open(link, "third", CLOCK)).hasMessageContaining("in use");
            Process other = anotherProcess();
            try (BufferedReader said =
                    new BufferedReader(new InputStreamReader(other.getInputStream(), StandardCharsets.UTF_8))) {
                assertThat(said.readLine())
                        .contains("in use by another Postern (process "
                                + ProcessHandle.current().pid() + ")");
            } finally {
                other.destroyForcibly();
                other.waitFor();
            }
            assertThat(first.isAlive()).isTrue();
        }
        Store.open(link, "fourth", CLOCK).close();

        assertThat(System.getProperties().stringPropertyNames()).noneMatch(name -> name.contains(home.toString()));
    }

    @Test
    void rejectsAHomeInUseUntilTheOtherProcessIsKilled() throws Exception {
        Process other = anotherProcess();
        try (BufferedReader said =
                new BufferedReader(new InputStreamReader(other.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(said.readLine()).isEqualTo("open");

            assertThatThrownBy(() -> Store.open(home, "test", CLOCK))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("process " + other.pid());
        } finally {
            other.destroyForcibly();
            other.waitFor();
        }

        try (Store store = Store.open(home, "test", CLOCK)) {
            assertThat(store.dialect()).isEqualTo(SqlDialect.SQLITE);
            assertThat(home.resolve("work/sqlite")).isDirectoryNotContaining("glob:**/sqlite-left-by-a-killed-process");
        }
    }

    @Test
    void refusesAUrlThatIsNoPlainFile() {
        assertThatThrownBy(() -> openUrl("jdbc:sqlite::memory:")).hasMessageContaining("would not survive");
        assertThatThrownBy(() -> openUrl("jdbc:sqlite:")).hasMessageContaining("would not survive");
        assertThatThrownBy(() -> openUrl("jdbc:sqlite:file:x.db?mode=memory"))
                .hasMessageContaining("would not survive");
        assertThatThrownBy(() -> openUrl("jdbc:sqlite:" + home.resolve("a.db") + "?cache=shared"))
                .hasMessageContaining("question mark");
    }

    @Test
    void refusesAnyOtherDatabaseAndKeepsItsPasswordToItself() {
        assertThatThrownBy(() -> openUrl("jdbc:mysql://host/db?password=hunter2"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("database.url is no JDBC URL of PostgreSQL or SQLite")
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void refusesADataSourceThatIsNotPostgresql() {
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + home.resolve("bound.db"));

        assertThatThrownBy(() -> Store.open(source, home, "test", CLOCK))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("[SQLite]");
    }

    @Test
    void refusesAHomeThatCannotHoldData() throws Exception {
        Files.writeString(home.resolve("data"), "a file where a directory should be");

        assertThatThrownBy(() -> Store.open(home, "test", CLOCK))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(home.resolve("data").toString());
    }

    @Test
    void refusesAFileThatIsNoDatabaseAndLetsGoOfTheHome() throws Exception {
        Files.createDirectories(home.resolve("data"));
        Path file = home.resolve("data/postern.db");
        Files.writeString(file, "this is no database, but it is long enough to be read as one".repeat(100));

        assertThatThrownBy(() -> Store.open(home, "test", CLOCK))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("[" + file + "]");
        Files.delete(file);
        try (Store store = Store.open(home, "test", CLOCK)) {
            assertThat(store.metrics().queued()).isZero();
        }
    }

    @Test
    void refusesWhatThereIsNoRoomForAndGoesOnWhenThereIs() throws Exception {
        String big = "x".repeat(100_000);
        try (PackageLogCapture log = new PackageLogCapture("dev.postern.store");
                Store store = Store.open(home, "test", CLOCK)) {
            assertThatThrownBy(() -> store.<Integer>writeAndWait(sql -> {
                        sql.first("PRAGMA max_page_count = 1", row -> row.number("max_page_count"));
                        return sql.update("INSERT INTO node (id, started_at, seen_at) VALUES (?, 1, 1)", big);
                    }))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("SQLITE_FULL");

            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .contains("Database writes fail", "SQLITE_FULL")
                    .doesNotContain("xxx");
            int inserted = store.writeAndWait(
                    sql -> sql.update("INSERT INTO node (id, started_at, seen_at) VALUES (?, 1, 1)", big));
            assertThat(inserted).isEqualTo(1);
        }
    }

    @Test
    void keepsItsFilesToTheirOwner() throws Exception {
        try (Store store = Store.open(home, "test", CLOCK)) {
            int one = store.writeAndWait(
                    sql -> sql.update("INSERT INTO node (id, started_at, seen_at) VALUES ('a', 1, 1)"));

            assertThat(one).isEqualTo(1);
            assertThat(permissions("data")).isEqualTo("rwx------");
            assertThat(permissions("data/postern.db")).isEqualTo("rw-------");
            assertThat(permissions("data/postern.db-wal")).isEqualTo("rw-------");
            assertThat(permissions("data/postern.lock")).isEqualTo("rw-------");
        }
    }

    @Test
    void takesTheReadingOfADatabaseFromOthersThatWasOpenToThem() throws Exception {
        Store.open(home, "test", CLOCK).close();
        Files.setPosixFilePermissions(home.resolve("data/postern.db"), PosixFilePermissions.fromString("rw-r--r--"));

        Store.open(home, "test", CLOCK).close();

        assertThat(permissions("data/postern.db")).isEqualTo("rw-------");
    }

    @Test
    void leavesOneFileAndNoLogBehindWhenItIsClosed() throws Exception {
        Store store = Store.open(home, "test", CLOCK);
        int one =
                store.writeAndWait(sql -> sql.update("INSERT INTO node (id, started_at, seen_at) VALUES ('a', 1, 1)"));
        store.close();

        assertThat(one).isEqualTo(1);
        assertThat(home.resolve("data")).isDirectoryContaining("glob:**/postern.db");
        assertThat(home.resolve("data")).isDirectoryNotContaining("glob:**/postern.db-*");
    }

    @Test
    void asksForAnFsyncAtEveryCommit() throws Exception {
        try (Store store = Store.open(home, "test", CLOCK)) {
            long synchronous =
                    store.writeAndWait(sql -> sql.first("PRAGMA synchronous", row -> row.number("synchronous"))
                            .orElseThrow());
            String journal = store.writeAndWait(sql -> sql.first("PRAGMA journal_mode", row -> row.text("journal_mode"))
                    .orElseThrow());

            assertThat(synchronous).as("2 is FULL").isEqualTo(2);
            assertThat(journal).isEqualTo("wal");
        }
    }

    @Test
    void keepsAReaderFromWriting() throws Exception {
        try (Store store = Store.open(home, "test", CLOCK)) {
            assertThatThrownBy(() -> store.read(
                            sql -> sql.update("INSERT INTO node (id, started_at, seen_at) VALUES ('a', 1, 1)")))
                    .isInstanceOf(StoreException.class);
        }
    }

    @Test
    void takesAUrlOfAFileAndLocksThatFile() throws Exception {
        Path file = home.resolve("elsewhere/work.db");
        try (Store store = openUrl("jdbc:sqlite:" + file)) {
            assertThat(store.dialect()).isEqualTo(SqlDialect.SQLITE);
            assertThat(file).exists();
            assertThat(file.resolveSibling("work.lock")).exists();
            assertThatThrownBy(() -> openUrl("jdbc:sqlite:" + file)).hasMessageContaining("in use");
        }
    }

    @Test
    void leavesTheDriversDirectoryForTheProcessAsItWas() throws Exception {
        Store.open(home, "test", CLOCK).close();

        assertThat(System.getProperty("org.sqlite.tmpdir")).isNull();
    }

    @Test
    void locksTheHomeToo() throws Exception {
        Path file = home.resolve("elsewhere/work.db");
        try (Store store = openUrl("jdbc:sqlite:" + file)) {
            assertThatThrownBy(() -> Store.open(home, "test", CLOCK))
                    .hasMessageContaining("the home [" + home + "] is in use");
            assertThatThrownBy(
                            () -> Store.open("jdbc:sqlite:" + file, null, null, home.resolve("another"), "test", CLOCK))
                    .hasMessageContaining("the database [" + file + "] is in use");
            assertThat(store.isAlive()).isTrue();
        }
        openUrl("jdbc:sqlite:" + home.resolve("data/postern.db")).close();
        Store.open(home.resolve("another"), "test", CLOCK).close();
    }

    private Process anotherProcess() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holder.class.getName(),
                        home.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private Store openUrl(String url) throws StoreException {
        return Store.open(url, "user", new Secret("hunter2"), home, "test", CLOCK);
    }

    private String permissions(String file) throws Exception {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(home.resolve(file)));
    }

    /** A main class for another process that holds the home until it is killed, or says why it can't. */
    static final class Holder {

        public static void main(String[] args) throws Exception {
            Path home = Path.of(args[0]);
            Store store;
            try {
                store = Store.open(home, "holder", CLOCK);
            } catch (StoreException e) {
                System.out.println(e.getMessage());
                return;
            }
            Files.createFile(home.resolve("work/sqlite/sqlite-left-by-a-killed-process"));
            System.out.println("open");
            Thread.currentThread().join();
            store.close();
        }
    }
}
