package dev.postern.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.postern.net.DirectoryTree;
import dev.postern.net.OwnerOnlyFiles;
import dev.postern.store.AlreadyInUseException;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A test of restored homes, and of backups that can't be restored. */
class HomeRestoreTest {

    @TempDir
    Path top;

    private HomeWithContent original;
    private Path backup;
    private Path home;

    @BeforeEach
    void makeBackup() throws Exception {
        original = HomeWithContent.in(top.resolve("original"));
        backup = top.resolve("backup.zip");
        original.backup(backup);
        home = top.resolve("deep/home");
    }

    @Test
    void saysThatThereIsNoFile() {
        refuses(top.resolve("none.zip"), "there is no file [" + top.resolve("none.zip") + "]");
        refuses(top, "there is no file [" + top + "]");
    }

    @Test
    void refusesAFileThatIsNoBackup() throws Exception {
        Path text = Files.writeString(top.resolve("a.txt"), "no archive");
        Path empty = Files.createFile(top.resolve("empty"));
        Path archive = top.resolve("other.zip");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive))) {
            zip.putNextEntry(new ZipEntry("a"));
        }

        refuses(text, "[" + text + "] is no backup of Postern, or is cut short: ");
        refuses(empty, "[" + empty + "] is no backup of Postern, or is cut short: ");
        refuses(archive, "[" + archive + "] is no backup of Postern: it has no postern-backup.json");
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.01, 0.5, 0.95, 0.999})
    void refusesABackupThatIsCutShort(double part) throws Exception {
        byte[] all = Files.readAllBytes(backup);
        Files.write(backup, Arrays.copyOf(all, (int) (all.length * part)));

        refuses(backup, "[" + backup + "] is no backup of Postern, or is cut short: ");
    }

    /** The list alone has the targets of links and the permissions; no other checksum covers them. */
    @Test
    void refusesAListOfContentsWithAnyByteChanged() throws Exception {
        byte[] all = Files.readAllBytes(backup);
        String text = new String(all, StandardCharsets.ISO_8859_1);
        int first = text.indexOf(BackupManifest.NAME) + BackupManifest.NAME.length();
        int size;
        try (ZipFile zip = new ZipFile(backup.toFile())) {
            size = (int) zip.getEntry(BackupManifest.NAME).getCompressedSize();
        }
        for (int at = first; at < first + size; at++) {
            byte[] changed = all.clone();
            changed[at] ^= 0x55;
            Files.write(backup, changed);

            assertThatThrownBy(() -> BackupReader.open(backup)).isInstanceOf(BackupException.class);
        }
    }

    @Test
    void refusesABackupWithAnyByteChanged() throws Exception {
        byte[] all = Files.readAllBytes(backup);
        int step = all.length / 60;
        for (int at = 30; at < all.length; at += step) {
            byte[] changed = all.clone();
            changed[at] ^= 0x55;
            Files.write(backup, changed);

            HomeRestore restore = new HomeRestore(home, false, HomeWithContent.CLOCK);
            try {
                restore.run(backup);
            } catch (BackupException | StoreException e) {
                assertThat(home).as("byte " + at + ": " + e.getMessage()).doesNotExist();
                continue;
            }
            // A byte that nothing reads, such as a time in the archive: everything is as it was.
            assertThat(HomeWithContent.content(home)).isEqualTo(HomeWithContent.content(original.directory()));
            DirectoryTree.delete(home);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"format\":1|\"format\":2|has the format 2, made by a newer version; this one knows format 1",
                "\"agents/main/AGENTS.md\"|\"../outside\"|impossible path [../outside]",
                "\"agents/main/AGENTS.md\"|\"/tmp/outside\"|impossible path [/tmp/outside]",
                "\"agents/main/AGENTS.md\"|\"agents/../../outside\"|impossible path [agents/../../outside]",
                "\"agents/main/AGENTS.md\"|\"agents/\\u0000\"|its list has the impossible path [agents/",
                "\"agents/main/AGENTS.md\"|\"data/postern.lock\"|impossible path [data/postern.lock]",
                "\"turn.sh\"|\"postern.yaml\"|impossible path [postern.yaml]",
                "\"agents/main/AGENTS.md\"|\"agents/main/other\"|it lacks [agents/main/other], or a part of it",
                "\"data/postern.db\"|\"other.db\"|it lacks [other.db], or a part of it",
                "\"node\":1|\"node\":2|its database has other rows than its list says",
                "\"rows\":{|\"rows\":[|its postern-backup.json can't be read"
            })
    void refusesAListThatIsNotTrue(String from, String to, String message) throws Exception {
        rewrite((name, content) ->
                name.equals(BackupManifest.NAME) ? edit(content, text -> text.replace(from, to)) : content);

        refuses(backup, message);
        assertThat(top.resolve("outside")).doesNotExist();
    }

    @Test
    void refusesAFileThatIsNotAsItWasWritten() throws Exception {
        rewrite((name, content) ->
                name.equals("postern.yaml") ? edit(content, text -> text.replace("true", "TRUE")) : content);

        refuses(backup, "[" + backup + "] is damaged: [postern.yaml] is not as it was written");
    }

    @Test
    void refusesADatabaseOfANewerVersion() throws Exception {
        try (Store store = original.open()) {
            store.writeAndWait(sql ->
                    sql.update("INSERT INTO schema_version VALUES (99, 'V099__later.sql', 'ffffffff', 1, NULL)"));
            Path newer = top.resolve("newer.zip");

            assertThatThrownBy(() -> original.backup(newer))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("the database has schema 99, made by a newer version");
            assertThat(newer).doesNotExist();
        }
    }

    @Test
    void takesALinkForContent() throws Exception {
        Path elsewhere = Files.createDirectories(top.resolve("elsewhere"));
        Files.createDirectories(home);
        Files.createSymbolicLink(home.resolve("agents"), elsewhere);

        assertThatThrownBy(() -> restore(false))
                .isInstanceOf(BackupException.class)
                .hasMessageContaining("] is not empty; ");
        assertThat(home.resolve("agents")).isSymbolicLink();

        Path replaced = restore(true).replaced();
        assertThat(home.resolve(replaced).resolve("agents")).isSymbolicLink();
        assertThat(Files.isDirectory(home.resolve("agents"), LinkOption.NOFOLLOW_LINKS))
                .isTrue();
    }

    @Test
    void refusesAHomeWithContentUnlessTold() throws Exception {
        HomeWithContent other = HomeWithContent.in(home);
        Files.writeString(home.resolve("agents/main/AGENTS.md"), "# Other rules\n");

        refusesButKeeps(
                other,
                "the home [" + home + "] is not empty; name another home, or move its content aside with"
                        + " --replace");
    }

    @Test
    void refusesAHomeInUseEvenWhenTold() throws Exception {
        HomeWithContent other = HomeWithContent.in(home);
        try (Store store = other.open()) {
            assertThatThrownBy(() -> restore(true))
                    .isInstanceOf(AlreadyInUseException.class)
                    .hasMessageStartingWith("the home [" + home + "] is in use by another Postern");
            other.write(store, "still here");
        }
        assertThat(home.resolve(".restore")).doesNotExist();
    }

    @Test
    void restoresAMissingHome() throws Exception {
        HomeRestore.Result result = restore(false);

        assertThat(result.replaced()).isNull();
        assertThat(result.completed()).isFalse();
        assertThat(result.backup().program()).isEqualTo("1.2.3");
        assertThat(result.backup().createdAt()).isEqualTo("2026-11-26T09:30:00Z");
        isAsTheOriginal();
    }

    @Test
    void restoresAHomeWithEmptyDirectories() throws Exception {
        for (String name : List.of("data", "secrets", "agents/main", "hooks/transforms", "lost+found")) {
            OwnerOnlyFiles.createDirectories(home.resolve(name));
        }

        assertThat(restore(false).replaced()).isNull();
        assertThat(Files.isDirectory(home.resolve("hooks/transforms"))).isTrue();
        DirectoryTree.delete(home.resolve("hooks"));
        DirectoryTree.delete(home.resolve("lost+found"));
        isAsTheOriginal();
    }

    @Test
    void movesTheFormerContentAsideWhenTold() throws Exception {
        HomeWithContent other = HomeWithContent.in(home);
        Files.writeString(home.resolve("agents/main/AGENTS.md"), "# Other rules\n");
        Files.writeString(home.resolve("mine.txt"), "mine");
        Files.writeString(home.resolve("data/postern.db-wal"), "");
        try (Store store = other.open()) {
            other.write(store, "of the other");
        }

        HomeRestore.Result result = restore(true);

        Path replaced = home.resolve("replaced-20261126-093000");
        assertThat(result.replaced()).isEqualTo(replaced);
        assertThat(replaced.resolve("agents/main/AGENTS.md")).hasContent("# Other rules");
        assertThat(replaced.resolve("mine.txt")).hasContent("mine");
        assertThat(replaced.resolve("data/postern.db")).exists();
        assertThat(home.resolve("work/unpacked")).exists();
        DirectoryTree.delete(replaced);
        isAsTheOriginal();
    }

    @Test
    void restoresFromAFileThatItMovesAside() throws Exception {
        HomeWithContent.in(home);
        Path inHome = Files.move(backup, home.resolve("mine.zip"));
        long bytes = Files.size(inHome);

        HomeRestore.Result result = new HomeRestore(home, true, HomeWithContent.CLOCK).run(inHome);

        assertThat(result.backup().bytes()).isEqualTo(bytes);
        Path replaced = home.resolve("replaced-20261126-093000");
        assertThat(replaced.resolve("mine.zip")).hasSize(bytes);
        DirectoryTree.delete(replaced);
        isAsTheOriginal();
    }

    @Test
    void keepsSecretsThatTheBackupLacks() throws Exception {
        Path without = top.resolve("without.zip");
        original.backup(without, false);
        HomeWithContent.in(home);
        Files.writeString(home.resolve("secrets/hook-token"), "kept");

        HomeRestore.Result result = new HomeRestore(home, true, HomeWithContent.CLOCK).run(without);

        assertThat(result.backup().leftOut()).containsExactly("secrets/hook-token");
        assertThat(home.resolve("secrets/hook-token")).hasContent("kept");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void completesARestoreThatWasInterruptedAtAnyRename(int renames) throws Exception {
        HomeWithContent.in(home);
        Files.writeString(home.resolve("agents/main/AGENTS.md"), "# Other rules\n");
        interruptAfter(renames);

        Path another = top.resolve("another.zip");
        original.backup(another);
        assertThatThrownBy(() -> new HomeRestore(home, true, HomeWithContent.CLOCK).run(another))
                .isInstanceOf(BackupException.class)
                .hasMessageContaining("a restore of the home [" + home + "] from another backup was interrupted");
        HomeRestore.Result result = restore(false);

        assertThat(result.completed()).isTrue();
        Path replaced = home.resolve("replaced-1");
        assertThat(result.replaced()).isEqualTo(replaced);
        assertThat(replaced.resolve("agents/main/AGENTS.md")).hasContent("# Other rules");
        assertThat(replaced.resolve("data/postern.db")).exists();
        DirectoryTree.delete(replaced);
        isAsTheOriginal();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void leavesHomeAsItWasWhereAPartCannotBeMoved(int renames) throws Exception {
        HomeWithContent.in(home);
        Files.writeString(home.resolve("agents/main/AGENTS.md"), "# Other rules\n");
        Map<String, String> before = tree(home);

        assertThatThrownBy(() -> restore(new FailingFileSystem(renames, 1)))
                .isInstanceOf(BackupException.class)
                .hasMessageStartingWith(
                        "the home [" + home + "] is unchanged, since a part of it could not be moved aside: busy [");
        assertThat(tree(home)).isEqualTo(before);

        restore(true);
        DirectoryTree.delete(home.resolve("replaced-20261126-093000"));
        isAsTheOriginal();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void revertsAnInterruptedRestoreWhereAPartCannotBeMoved(int renames) throws Exception {
        HomeWithContent.in(home);
        Files.writeString(home.resolve("agents/main/AGENTS.md"), "# Other rules\n");
        Map<String, String> before = tree(home);
        interruptAfter(renames);

        assertThatThrownBy(() -> restore(new FailingFileSystem(0, 1)))
                .isInstanceOf(BackupException.class)
                .hasMessageStartingWith("the home [" + home + "] is unchanged, since ");
        assertThat(tree(home)).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource({"2, 2", "3, 9", "6, 1", "7, 1", "9, 1"})
    void canBeCompletedWhereAPartCannotBeMovedBackOrIn(int renames, int failures) throws Exception {
        HomeWithContent.in(home);
        Files.writeString(home.resolve("agents/main/AGENTS.md"), "# Other rules\n");

        assertThatThrownBy(() -> restore(new FailingFileSystem(renames, failures)))
                .isInstanceOf(BackupException.class)
                .hasMessageContaining(
                        "] has a part of its content; mend the cause and run restore again, which completes");
        HomeRestore.Result result = restore(false);

        assertThat(result.completed()).isTrue();
        assertThat(home.resolve("replaced-20261126-093000/agents/main/AGENTS.md"))
                .hasContent("# Other rules");
        DirectoryTree.delete(home.resolve("replaced-20261126-093000"));
        isAsTheOriginal();
    }

    @ParameterizedTest
    @ValueSource(strings = {"postern.yaml", "agents/main", "data"})
    void refusesAHomeWithAMountPointInIt(String part) throws Exception {
        HomeWithContent.in(home);
        Map<String, String> before = tree(home);
        HomeFileSystem mounted = new HomeFileSystem() {
            @Override
            List<Path> mountPoints() {
                return List.of(Path.of("/"), home, home.resolve("work"), home.resolve(part));
            }
        };

        assertThatThrownBy(() -> restore(mounted))
                .isInstanceOf(BackupException.class)
                .hasMessage("the home [" + home + "] is unchanged: [" + home.resolve(part)
                        + "] is a mount point, and restore renames what is in the home; unmount it first, or restore"
                        + " to another home");
        assertThat(tree(home)).isEqualTo(before);
    }

    @Test
    void readsMountPointsOfLinux() {
        assertThat(
                        HomeFileSystem.mountPoints(
                                """
                        29 1 254:0 / / rw,relatime - ext4 /dev/vda rw
                        36 29 0:31 / /var/a\\040home/agents rw shared:1 - tmpfs tmpfs rw
                        """))
                .containsExactly(Path.of("/"), Path.of("/var/a home/agents"));
    }

    @Test
    void leavesMountPointsOutThatCanNotBeSpelt() {
        assertThat(HomeFileSystem.mountPoints(
                        "29 1 254:0 / /mnt/B\0ro rw - ext4 /dev/vda rw\n36 29 0:31 / /srv rw - tmpfs"))
                .containsExactly(Path.of("/srv"));
    }

    /** A file system whose next renames succeed, and whose following ones fail as those of mount points do. */
    private static final class FailingFileSystem extends HomeFileSystem {

        private int left;
        private int failures;

        FailingFileSystem(int renames, int failures) {
            this.left = renames;
            this.failures = failures;
        }

        @Override
        void move(Path from, Path to) throws IOException {
            if (left <= 0 && failures > 0) {
                failures--;
                throw new FileSystemException(from.toString(), to.toString(), "busy");
            }
            left--;
            super.move(from, to);
        }
    }

    /** The content and the permissions of everything in {@code directory}. */
    private static Map<String, String> tree(Path directory) throws IOException {
        Map<String, String> tree = new TreeMap<>();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.toList()) {
                String content = Files.isSymbolicLink(file)
                        ? Files.readSymbolicLink(file).toString()
                        : Files.getPosixFilePermissions(file)
                                + (Files.isDirectory(file)
                                        ? ""
                                        : new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
                tree.put(directory.relativize(file).toString(), content);
            }
        }
        return tree;
    }

    /** Leaves the home as a process would that ends after so many renames. */
    private void interruptAfter(int renames) throws Exception {
        Path fresh = top.resolve("fresh");
        new HomeRestore(fresh, false, HomeWithContent.CLOCK).run(backup);
        Files.delete(fresh.resolve("data/postern.lock"));
        StagedHome staged = new StagedHome(home, new HomeFileSystem());
        staged.prepare();
        Files.delete(staged.directory());
        Files.move(fresh, staged.directory());
        List<String> parts = HomeContent.parts(staged.directory());
        try (BackupReader reader = BackupReader.open(backup)) {
            StagedHome.Plan plan = new StagedHome.Plan(reader.manifest().id(), parts, null, "replaced-1");
            Files.writeString(home.resolve(".restore/plan.json"), new ObjectMapper().writeValueAsString(plan));
        }
        int left = renames;
        List<String> old = HomeContent.parts(home);
        for (String part : old) {
            left = rename(left, home.resolve(part), home.resolve("replaced-1").resolve(part));
        }
        for (String part : parts) {
            left = rename(left, staged.directory().resolve(part), home.resolve(part));
        }
    }

    private static int rename(int left, Path from, Path to) throws IOException {
        if (left > 0) {
            Files.createDirectories(to.getParent());
            Files.move(from, to);
        }
        return left - 1;
    }

    private HomeRestore.Result restore(HomeFileSystem fileSystem) throws BackupException, StoreException {
        return new HomeRestore(home, true, HomeWithContent.CLOCK, fileSystem).run(backup);
    }

    private HomeRestore.Result restore(boolean replaces) throws BackupException, StoreException {
        return new HomeRestore(home, replaces, HomeWithContent.CLOCK).run(backup);
    }

    private void isAsTheOriginal() throws Exception {
        assertThat(HomeWithContent.content(home)).isEqualTo(HomeWithContent.content(original.directory()));
        assertThat(home.resolve("data")).isDirectoryNotContaining("glob:**-{wal,shm}");
        try (Store store = HomeWithContent.at(home).open()) {
            List<String> nodes = store.read(sql -> sql.query("SELECT id FROM node", row -> row.text("id")));
            assertThat(nodes).containsExactly("one");
        }
    }

    private void refuses(Path file, String message) {
        assertThatThrownBy(() -> new HomeRestore(home, true, HomeWithContent.CLOCK).run(file))
                .isInstanceOf(BackupException.class)
                .hasMessageContaining(message);
        assertThat(home).doesNotExist();
    }

    private void refusesButKeeps(HomeWithContent other, String message) throws Exception {
        var before = HomeWithContent.content(other.directory());
        assertThatThrownBy(() -> restore(false))
                .isInstanceOf(BackupException.class)
                .hasMessage(message);
        assertThat(HomeWithContent.content(other.directory())).isEqualTo(before);
    }

    /** Writes the backup again with its entries changed. */
    private void rewrite(BiFunction<String, byte[], byte[]> change) throws IOException {
        Path changed = top.resolve("changed.zip");
        try (ZipFile zip = new ZipFile(backup.toFile());
                OutputStream out = Files.newOutputStream(changed, StandardOpenOption.CREATE_NEW);
                ZipOutputStream into = new ZipOutputStream(out)) {
            for (Enumeration<? extends ZipEntry> entries = zip.entries(); entries.hasMoreElements(); ) {
                ZipEntry entry = entries.nextElement();
                into.putNextEntry(new ZipEntry(entry.getName()));
                into.write(
                        change.apply(entry.getName(), zip.getInputStream(entry).readAllBytes()));
            }
        }
        Files.delete(backup);
        Files.move(changed, backup);
    }

    private static byte[] edit(byte[] content, UnaryOperator<String> edit) {
        return edit.apply(new String(content, StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8);
    }
}
