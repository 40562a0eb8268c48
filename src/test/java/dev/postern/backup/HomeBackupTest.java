package dev.postern.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.net.OwnerOnlyFiles;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A test of backups of a home, which is in use or not. */
class HomeBackupTest {

    @TempDir
    Path top;

    private HomeWithContent home;
    private Path file;

    @BeforeEach
    void makeHome() throws Exception {
        home = HomeWithContent.in(top.resolve("it's a home"));
        file = top.resolve("backup.zip");
    }

    @Test
    void leavesAFileAloneThatIsThere() throws Exception {
        Files.writeString(file, "something else");

        assertThatThrownBy(() -> home.backup(file))
                .isInstanceOf(BackupException.class)
                .hasMessage("[" + file + "] is there already; name a new file");
        assertThat(file).hasContent("something else");
        assertThat(names(top)).containsExactly("backup.zip", "it's a home");
    }

    @Test
    void makesNoDirectory() throws Exception {
        Path elsewhere = top.resolve("missing/backup.zip");

        assertThatThrownBy(() -> home.backup(elsewhere))
                .isInstanceOf(BackupException.class)
                .hasMessage("the directory [" + elsewhere.getParent()
                        + "] is not there; make it, for Postern's user alone");
        assertThat(elsewhere.getParent()).doesNotExist();
    }

    @Test
    void refusesAPlaceThatTheNextBackupWouldContain() throws Exception {
        assertThatThrownBy(() -> home.backup(home.directory().resolve("agents/backup.zip")))
                .isInstanceOf(BackupException.class)
                .hasMessageContaining("is in the home, whose next backup would contain it");

        Path backups = Files.createDirectory(home.directory().resolve("backups"));
        home.backup(backups.resolve("1.zip"));
        BackupSummary second = home.backup(backups.resolve("2.zip"));
        assertThat(second.files()).isEqualTo(HomeWithContent.FILES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"printf secret > $'caf\\xe9.txt'", "ln -s $'caf\\xe9.txt' link"})
    void refusesANameThatIsNoText(String command) throws Exception {
        Process shell = new ProcessBuilder("bash", "-c", command)
                .directory(home.directory().toFile())
                .inheritIO()
                .start();
        assertThat(shell.waitFor()).isZero();

        assertThatThrownBy(() -> home.backup(file))
                .isInstanceOf(BackupException.class)
                .hasMessageContaining("locale can't spell a name; rename it, or start Java with LC_ALL=C.UTF-8")
                .hasMessageContaining("[caf\ufffd.txt]");
        assertThat(names(top)).containsExactly("it's a home");
    }

    @Test
    void leavesNothingWhereTheDatabaseIsDamaged() throws Exception {
        Files.writeString(home.database(), "this is no database ".repeat(1_000));

        assertThatThrownBy(() -> home.backup(file))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("[" + home.database() + "] can't be copied")
                .hasMessageContaining("not a database");
        assertThat(names(top)).containsExactly("it's a home");
    }

    @Test
    void leavesNothingWhereTheListIsTooLongForARestore() throws Exception {
        HomeBackup limited =
                new HomeBackup(home.directory(), home.database(), true, "1.2.3", HomeWithContent.CLOCK, 1_000);

        assertThatThrownBy(() -> limited.write(file))
                .isInstanceOf(BackupException.class)
                .hasMessageStartingWith("the home [" + home.directory()
                        + "] has too many files for a backup: the list of its " + HomeWithContent.FILES + " files has ")
                .hasMessageEndingWith(" bytes, and may have 1000; move files that need no backup out of the home");
        assertThat(names(top)).containsExactly("it's a home");
    }

    @Test
    void leavesNothingWhereTheDiskReturnsOtherBytes() throws Exception {
        InstantSource damaging = () -> {
            damageUnfinished();
            return HomeWithContent.CLOCK.instant();
        };
        HomeBackup backup = new HomeBackup(home.directory(), home.database(), true, "1.2.3", damaging);

        assertThatThrownBy(() -> backup.write(file))
                .isInstanceOf(BackupException.class)
                .hasMessageStartingWith("the backup [" + file + "] could not be restored, so it was deleted: ")
                .hasMessageContaining("[data/postern.db] ");
        assertThat(names(top)).containsExactly("it's a home");
    }

    /** Changes a byte of the database in the archive, which is not finished yet. */
    private void damageUnfinished() {
        try (Stream<Path> files = Files.list(top)) {
            for (Path each : files.filter(Files::isRegularFile).toList()) {
                byte[] content = Files.readAllBytes(each);
                if (content[0] == 'P') {
                    content[1_000] ^= 0x55;
                    Files.write(each, content);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void saysThatThereIsNoDatabase() throws Exception {
        Files.delete(home.database());

        assertThatThrownBy(() -> home.backup(file))
                .isInstanceOf(StoreException.class)
                .hasMessage("there is no SQLite database [" + home.database() + "]");
        assertThat(names(top)).containsExactly("it's a home");
        assertThat(home.database()).doesNotExist();
    }

    @Test
    void takesWhatWasWrittenBeforeWhileThePosternGoesOn() throws Exception {
        try (Store store = home.open()) {
            home.write(store, "before");
            BackupSummary backup = home.backup(file);
            home.write(store, "after");

            assertThat(backup.rows()).containsEntry("node", 2L);
        }
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(names(top)).containsExactly("backup.zip", "it's a home");
        assertThat(BackupVerification.run(file).files()).isEqualTo(HomeWithContent.FILES);
    }

    @Test
    void takesTheLogOfAPosternThatWasKilled() throws Exception {
        Path killed = top.resolve("killed");
        try (Store store = home.open()) {
            home.write(store, "in the log");
            HomeWithContent.copy(home.directory(), killed);
        }
        Files.deleteIfExists(killed.resolve("data/postern.db-shm"));

        BackupSummary backup = HomeWithContent.at(killed).backup(file);

        assertThat(backup.rows()).containsEntry("node", 2L);
    }

    @Test
    void hasTheHomesContentAndNothingElse() throws Exception {
        Files.writeString(
                home.directory().resolve("postern-backup.json"), "of a backup that was unpacked into the home");
        home.backup(file);

        try (BackupReader reader = BackupReader.open(file)) {
            assertThat(reader.manifest().entries())
                    .extracting(entry -> entry.path() + " " + entry.kind() + " " + entry.mode())
                    .containsExactlyInAnyOrder(
                            "data/postern.db FILE null",
                            "agents DIRECTORY rwxr-x---",
                            "agents/main DIRECTORY rwxr-x---",
                            "agents/main/AGENTS.md FILE rw-r-----",
                            "agents/main/empty DIRECTORY rwx------",
                            "agents/main/link LINK null",
                            "postern.yaml FILE rw-------",
                            "secrets DIRECTORY rwx------",
                            "secrets/hook-token FILE rw-------",
                            "turn.sh FILE rwx------");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"db/my.db", "my.sqlite"})
    void leavesOutADatabaseInTheHomeButItsSoundCopy(String place) throws Exception {
        Path database =
                OwnerOnlyFiles.createDirectories(home.directory().resolve("db")).resolveSibling(place);
        Files.writeString(database.resolveSibling("notes.db-wal.txt"), "of the operator");
        Path link = Files.createSymbolicLink(top.resolve("link"), home.directory());
        try (Store store = open(home.directory(), database)) {
            home.write(store, "in the log");
            // A link to the home names the same database.
            new HomeBackup(link, link.resolve(place), true, "1.2.3", HomeWithContent.CLOCK).write(file);
        }
        Path restored = top.resolve("restored");
        new HomeRestore(restored, false, HomeWithContent.CLOCK).run(file);

        Path moved = restored.resolve(place);
        assertThat(names(moved.resolveSibling("")))
                .contains("notes.db-wal.txt")
                .noneMatch(name -> name.startsWith("my"));
        Files.move(restored.resolve("data/postern.db"), moved);
        try (Store store = open(restored, moved)) {
            List<String> nodes = store.read(sql -> sql.query("SELECT id FROM node", row -> row.text("id")));
            assertThat(nodes).containsExactly("in the log");
        }
    }

    private static Store open(Path home, Path database) throws StoreException {
        return Store.open("jdbc:sqlite:" + database, null, null, home, "test", HomeWithContent.CLOCK);
    }

    @Test
    void leavesOutWhatIsGoneBeforeItIsRead() throws Exception {
        List<BackupManifest.Entry> entries = new ArrayList<>();
        HomeContent.Collector collector = new HomeContent.Collector(home.directory(), Set.of(), entries);
        Path directory = home.directory().resolve("agents/main/empty");
        BasicFileAttributes ofDirectory = deleted(directory);

        assertThat(collector.preVisitDirectory(directory, ofDirectory)).isEqualTo(FileVisitResult.SKIP_SUBTREE);
        for (String name : List.of("agents/main/AGENTS.md", "agents/main/link")) {
            Path each = home.directory().resolve(name);
            assertThat(collector.visitFile(each, deleted(each))).isEqualTo(FileVisitResult.CONTINUE);
        }
        assertThat(entries).isEmpty();
    }

    /** Deletes {@code file}; returns its former attributes. */
    private static BasicFileAttributes deleted(Path file) throws IOException {
        BasicFileAttributes attributes =
                Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        Files.delete(file);
        return attributes;
    }

    @Test
    void namesTheSecretsThatItLeavesOut() throws Exception {
        BackupSummary backup = home.backup(file, false);

        assertThat(backup.leftOut()).containsExactly("secrets/hook-token");
        assertThat(backup.files()).isEqualTo(HomeWithContent.FILES - 1);
        assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                .doesNotContain(HomeWithContent.SECRET);
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(each -> each.getFileName().toString()).sorted().toList();
        }
    }
}
