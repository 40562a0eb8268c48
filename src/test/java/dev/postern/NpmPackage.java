package dev.postern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A version of a package from npm that a test runs. Needs node 18 or newer and npm, and skips the test where they are missing.
 *
 * @param group the packages with which it is installed: npm moves them while it installs another, so tests that run at the same
 *     time have groups of their own
 * @param name as npm calls it
 */
public record NpmPackage(String group, String name, String version) {

    /** Where the packages of {@code group} are installed; they stay there for the next time. A script in it can import them. */
    public static Path directory(String group) {
        return Path.of("target", "npm", group).toAbsolutePath();
    }

    /** Installs it unless it is there; returns its directory. */
    public Path install() throws IOException, InterruptedException {
        assumeTrue(isOnPath("node") && isOnPath("npm"), "node and npm have to be on the PATH");
        Path directory = directory(group);
        Files.createDirectories(directory);
        Path module = directory.resolve("node_modules").resolve(name);
        try (FileChannel lock =
                FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            lock.lock(); // until it is closed
            Path manifest = module.resolve("package.json");
            if (!Files.exists(manifest) || !Files.readString(manifest).contains("\"version\": \"" + version + "\"")) {
                installInto(directory);
            }
        }
        return module;
    }

    private void installInto(Path directory) throws IOException, InterruptedException {
        Process npm = new ProcessBuilder(
                        "npm",
                        "install",
                        "--prefix",
                        directory.toString(),
                        "--ignore-scripts",
                        "--no-audit",
                        "--no-fund",
                        name + "@" + version)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("install.log").toFile())
                .start();
        assertThat(npm.waitFor(180, TimeUnit.SECONDS) && npm.exitValue() == 0)
                .as("npm install " + name + ", see target/npm/" + group + "/install.log")
                .isTrue();
    }

    private static boolean isOnPath(String program) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
    }
}
