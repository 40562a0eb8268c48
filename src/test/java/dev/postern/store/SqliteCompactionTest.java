package dev.postern.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteCompactionTest {

    private static final InstantSource CLOCK = InstantSource.system();
    private static final int ROWS = 1_000;

    @TempDir
    Path top;

    private Path home;
    private Path file;

    @BeforeEach
    void nameHome() {
        home = top.resolve("it's a home");
        file = home.resolve("data/postern.db");
    }

    @Test
    void refusesWhereThereIsNoDatabaseAndMakesNone() throws Exception {
        Files.createDirectories(home);

        assertThatThrownBy(() -> SqliteCompaction.run(file, home))
                .isInstanceOf(StoreException.class)
                .hasMessage("there is no SQLite database [" + file + "]");
        assertThat(home).isEmptyDirectory();
    }

    @Test
    void saysThatItCannotLookForTheDatabase() throws Exception {
        Path hidden = Files.createFile(top.resolve("no-directory")).resolve("postern.db");

        assertThatThrownBy(() -> SqliteCompaction.run(hidden, home))
                .isInstanceOf(StoreException.class)
                .hasMessage(
                        "the SQLite database [" + hidden + "] can't be looked for; check who may read its directory");
    }

    @Test
    void refusesAHomeThatAPosternHas() throws Exception {
        try (Store store = Store.open(home, "test", CLOCK)) {
            long before = Files.size(file);

            assertThatThrownBy(() -> SqliteCompaction.run(file, home))
                    .isInstanceOfSatisfying(AlreadyInUseException.class, e -> assertThat(e.fact())
                            .isEqualTo("the home [" + home + "] is in use by another Postern (process "
                                    + ProcessHandle.current().pid() + ", this server)"));
            assertThat(Files.size(file)).isEqualTo(before);
            assertThat(store.isAlive()).isTrue();
        }
    }

    @Test
    void refusesADatabaseThatAPosternOfAnotherHomeHas() throws Exception {
        Path shared = Files.createDirectories(top.resolve("elsewhere")).resolve("shared.db");
        try (Store store = Store.open("jdbc:sqlite:" + shared, null, null, top.resolve("other"), "test", CLOCK)) {
            assertThatThrownBy(() -> SqliteCompaction.run(shared, home))
                    .isInstanceOfSatisfying(AlreadyInUseException.class, e -> assertThat(e.fact())
                            .startsWith("the database [" + shared + "]"));
            assertThat(store.isAlive()).isTrue();
        }
    }

    @Test
    void leavesADatabaseThatIsBrokenAsItWas() throws Exception {
        Files.createDirectories(file.resolveSibling("."));
        Files.writeString(file, "this is no database ".repeat(1_000));

        assertThatThrownBy(() -> SqliteCompaction.run(file, home))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("[" + file + "]")
                .hasMessageContaining("not a database");
        assertThat(file).hasContent("this is no database ".repeat(1_000));
    }

    @Test
    void givesFreedSpaceBackAndKeepsWhatIsThere() throws Exception {
        fill();
        long full = Files.size(file);

        CompactionResult result = SqliteCompaction.run(file, home);

        assertThat(result.file()).isEqualTo(file);
        assertThat(result.bytesBefore()).isEqualTo(full);
        assertThat(result.bytesAfter()).isEqualTo(Files.size(file)).isLessThan(full / 4);
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(home.resolve("data")).isDirectoryNotContaining("glob:**/*{etilqs,-wal,-shm}*");
        try (Store store = Store.open(home, "test", CLOCK)) {
            List<Long> left = store.read(sql -> sql.query("SELECT n FROM filler", row -> row.number("n")));
            assertThat(left).hasSize(ROWS / 10).contains(0L, 10L, 990L);
        }
    }

    @Test
    void changesNothingWhereThereIsNothingToGain() throws Exception {
        Store.open(home, "test", CLOCK).close();
        long size = SqliteCompaction.run(file, home).bytesAfter();

        assertThat(SqliteCompaction.run(file, home)).isEqualTo(new CompactionResult(file, size, size));
    }

    /** A few megabytes, of which a tenth is not deleted again. */
    private void fill() throws StoreException {
        try (Store store = Store.open(home, "test", CLOCK)) {
            store.writeAndWait(sql -> sql.update("CREATE TABLE filler (n integer PRIMARY KEY, text text)"));
            store.writeAndWait(sql -> {
                for (int i = 0; i < ROWS; i++) {
                    sql.update("INSERT INTO filler (n, text) VALUES (?, ?)", i, "x".repeat(5_000));
                }
                return 0;
            });
            store.writeAndWait(sql -> sql.update("DELETE FROM filler WHERE n % 10 <> 0"));
        }
    }
}
