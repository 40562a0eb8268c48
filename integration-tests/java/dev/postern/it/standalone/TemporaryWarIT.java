package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A test of the files that a command unpacks for itself. */
class TemporaryWarIT {

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    /** The exit code of backtest says 1 where something would change. */
    @ParameterizedTest
    @CsvSource({"check, 1", "backtest, 2"})
    void saysOnOneLineThatTheDirectoryIsMissing(String command, int status) {
        HomeFixture home = homeFixtureExtension.newHome();
        Path missing = home.top().resolve("no/such/directory");
        PosternProcess ended = home.command(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.io.tmpdir=" + missing,
                "-jar",
                Path.of(PosternProcess.WAR).toAbsolutePath().toString(),
                command,
                "--home",
                home.directory().toString()));

        assertThat(ended.awaitExit()).isEqualTo(status);
        assertThat(ended.log().lines())
                .filteredOn(line -> !line.startsWith("WARNING: java.io.tmpdir"))
                .singleElement()
                .asString()
                .startsWith("postern: ")
                .contains(missing.toString(), "java.io.tmpdir", "it does not exist");
    }

    @Test
    void leavesNothingWhereACommandIsInterrupted() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome().settings(HomeFixture.hooks());
        PosternProcess asking = home.launched(
                "mail",
                "setup",
                "--account",
                "ada@example.com",
                "--host",
                "imap.example.com",
                "--home",
                home.directory().toString());
        await().atMost(Duration.ofSeconds(90)).until(() -> asking.log().contains("Password of ada@example.com"));
        assertThat(unpacked(home)).hasSize(1);

        asking.stop();

        assertThat(unpacked(home)).isEmpty();
    }

    private static List<Path> unpacked(HomeFixture home) throws Exception {
        try (Stream<Path> files = Files.list(home.top())) {
            return files.filter(file -> file.getFileName().toString().startsWith("postern-"))
                    .toList();
        }
    }
}
