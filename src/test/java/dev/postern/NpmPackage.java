package dev.postern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A version of a package from npm that a test runs. Needs node 18 or newer and npm, and skips the test where they are missing.
 *
 * @param name as npm calls it
 */
public record NpmPackage(String name, String version) {

    /** Where the packages are installed; they stay there for the next time. A script in it can import them. */
    public static final Path DIRECTORY = Path.of("target", "npm").toAbsolutePath();

    /** Installs it unless it is there; returns its directory. */
    public Path install() throws IOException, InterruptedException {
        assumeTrue(isOnPath("node") && isOnPath("npm"), "node and npm have to be on the PATH");
        Path module = DIRECTORY.resolve("node_modules").resolve(name);
        Path manifest = module.resolve("package.json");
        if (!Files.exists(manifest) || !Files.readString(manifest).contains("\"version\": \"" + version + "\"")) {
            Files.createDirectories(DIRECTORY);
            Process npm = new ProcessBuilder(
                            "npm",
                            "install",
                            "--prefix",
                            DIRECTORY.toString(),
                            "--ignore-scripts",
                            "--no-audit",
                            "--no-fund",
                            name + "@" + version)
                    .redirectErrorStream(true)
                    .redirectOutput(DIRECTORY.resolve("install.log").toFile())
                    .start();
            assertThat(npm.waitFor(180, TimeUnit.SECONDS) && npm.exitValue() == 0)
                    .as("npm install " + name + ", see target/npm/install.log")
                    .isTrue();
        }
        return module;
    }

    private static boolean isOnPath(String program) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
    }
}
