package dev.postern.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LastDatabaseTest {

    private static final InstantSource CLOCK = InstantSource.system();

    @TempDir
    Path top;

    private Path home;
    private Path file;

    @BeforeEach
    void nameHome() {
        home = top.resolve("home");
        file = home.resolve("data/postern.db");
    }

    @Test
    void rejectsFormerDatabaseOfHome() throws Exception {
        Store.open(home, "test", CLOCK).close();
        Store.open(TestDatabases.newPostgresSource(), home, "test", CLOCK).close();

        assertThatThrownBy(() -> LastDatabase.require(file, home))
                .isInstanceOf(StoreException.class)
                .hasMessageStartingWith("the Postern of this home last ran on PostgreSQL at localhost:")
                .hasMessageContaining("/postgres, not on [" + file + "]; give this command the database.url");
        assertThat(Files.readString(home.resolve("data/postern.database"))).doesNotContain("user");
    }

    @Test
    void rejectsFileOfHomeWhereDatabaseIsElsewhere() throws Exception {
        Path elsewhere = top.resolve("other/p.db");
        Store.open(home, "test", CLOCK).close();
        Store.open("jdbc:sqlite:" + elsewhere, null, null, home, "test", CLOCK).close();

        assertThatThrownBy(() -> LastDatabase.require(file, home))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("last ran on SQLite in " + elsewhere + ", not on [" + file + "]");
        assertThat(LastDatabase.require(elsewhere, home)).isTrue();
        Path link = Files.createSymbolicLink(top.resolve("link"), elsewhere.getParent());
        assertThat(LastDatabase.require(link.resolve("p.db"), home)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "SQLi", "\0\0\0\0\0\n", "PostgreSQL at db"})
    void takesPartOfRecordForNone(String text) throws Exception {
        Store.open(home, "test", CLOCK).close();
        Files.writeString(home.resolve("data/postern.database"), text);

        assertThat(LastDatabase.require(file, home)).isFalse();
        Store.open(home, "test", CLOCK).close();
        assertThat(LastDatabase.require(file, home)).isTrue();
    }

    @Test
    void startsOnNoOtherDatabaseWhileARestoredOneWaits() throws Exception {
        Path former = top.resolve("other/p.db");
        Store.open(home, "test", CLOCK).close();
        LastDatabase.recordRestored(home.resolve("data"));

        assertThatThrownBy(() -> Store.open("jdbc:sqlite:" + former, null, null, home, "test", CLOCK))
                .isInstanceOf(StoreException.class)
                .hasMessage(
                        "the database of this home was restored as [" + file
                                + "], and the settings name another one; move it there, or take database.url out of the settings");
        assertThatThrownBy(() -> Store.open(TestDatabases.newPostgresSource(), home, "test", CLOCK))
                .isInstanceOf(StoreException.class);
        assertThat(former).doesNotExist();

        Files.createDirectories(former.getParent());
        Files.move(file, former);
        Store.open("jdbc:sqlite:" + former, null, null, home, "test", CLOCK).close();
        assertThat(LastDatabase.require(former, home)).isTrue();
    }

    @Test
    void startsOnARestoredDatabaseAndElsewhereAfterThat() throws Exception {
        Store.open(home, "test", CLOCK).close();
        LastDatabase.recordRestored(home.resolve("data"));

        Store.open(home, "test", CLOCK).close();

        Store.open("jdbc:sqlite:" + top.resolve("other/p.db"), null, null, home, "test", CLOCK)
                .close();
    }

    @Test
    void knowsNothingOfHomeBeforeItsFirstStart() throws Exception {
        assertThat(LastDatabase.require(file, home)).isFalse();
    }

    @Test
    void takesDatabaseOfHomeThatHasMoved() throws Exception {
        Store.open(home, "test", CLOCK).close();
        Path moved = Files.move(home, top.resolve("moved"));

        assertThat(LastDatabase.require(moved.resolve("data/postern.db"), moved))
                .isTrue();
    }

    @Test
    void returnsToSqlite() throws Exception {
        Store.open(TestDatabases.newPostgresSource(), home, "test", CLOCK).close();
        Store.open(home, "test", CLOCK).close();

        assertThat(LastDatabase.require(file, home)).isTrue();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home.resolve("data/postern.database"))))
                .isEqualTo("rw-------");
    }
}
