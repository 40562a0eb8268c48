package dev.postern.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test of a process that can't load SQLite's library. A process loads it once, so this takes one of its own. */
class SqliteDriverTest {

    @TempDir
    Path top;

    @Test
    void tellsReasonAndRemedyOnOneLine() throws Exception {
        Path home = top.resolve("home");
        Store.open(home, "test", InstantSource.system()).close();
        Path unusable = Files.createFile(top.resolve("no-directory"));

        List<String> lines = output("-Dorg.sqlite.tmpdir=" + unusable, home);

        assertThat(lines)
                .singleElement()
                .asString()
                .startsWith("SQLite's native library could not be loaded from [" + unusable + "]: ")
                .contains("NotDirectoryException, " + unusable)
                .endsWith(
                        "; if its file system forbids executables, name another directory with -Dorg.sqlite.tmpdir=DIR");
        assertThat(home.resolve("work/sqlite")).isDirectoryNotContaining("glob:**command-*");
    }

    private List<String> output(String option, Path home) throws Exception {
        Path output = top.resolve("output");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        option,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Program.class.getName(),
                        home.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(90, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return Files.readAllLines(output, StandardCharsets.UTF_8);
    }

    /** A program that opens the database of the home that its argument names. */
    static final class Program {

        private Program() {}

        public static void main(String[] arguments) {
            try {
                ReadOnlyStore.open(null, null, null, Path.of(arguments[0])).close();
            } catch (StoreException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
