package dev.postern.it.standalone;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * An archive of the classes that the WAR loads, with which each of its processes starts with a quarter less work. The first
 * tests that start one write the archive, once for all JVMs of tests.
 */
final class ClassDataArchive {

    private static final Path FILE =
            Path.of(PosternProcess.WAR).toAbsolutePath().resolveSibling("integration-tests.jsa");

    private ClassDataArchive() {}

    /** The options of a JVM that takes it. A JVM that can't goes on without, and says nothing. */
    static List<String> options() {
        return Written.OPTIONS;
    }

    /** What is done once in a JVM, by its first use. */
    private static final class Written {

        private static final List<String> OPTIONS = List.of("-XX:SharedArchiveFile=" + file(), "-Xlog:cds*=off");

        private static Path file() {
            Path lock = FILE.resolveSibling(FILE.getFileName() + ".lock");
            try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                channel.lock();
                if (isMissingOrOld()) {
                    write();
                }
                return FILE;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static boolean isMissingOrOld() throws IOException {
            return Files.notExists(FILE)
                    || Files.getLastModifiedTime(FILE).compareTo(Files.getLastModifiedTime(Path.of(PosternProcess.WAR)))
                            < 0;
        }

        private static void write() throws IOException {
            HomeFixture home = new HomeFixture(Files.createTempDirectory(FILE.getParent(), "archived-"));
            Path archive = home.top().resolve("classes.jsa");
            try {
                PosternProcess postern = home.settings(HomeFixture.hooks())
                        .command(PosternProcess.command(
                                List.of("-XX:ArchiveClassesAtExit=" + archive, "-Xlog:cds*=off"),
                                List.of("serve", "--home", home.directory().toString(), "--port", "0")))
                        .awaitReady();
                postern.sender().post("wake", "{\"text\":\"one wake\"}");
                postern.stop();
                Files.move(archive, FILE, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while the archive was written", e);
            } finally {
                home.end();
                HomeFixtureExtension.delete(home.top());
            }
        }
    }
}
