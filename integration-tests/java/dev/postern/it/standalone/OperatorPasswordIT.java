package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A test of the password of the operator, which {@code java -jar} keeps in the home. */
class OperatorPasswordIT {

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    @Test
    void rejectsBlankPasswordBeforeAnythingRuns() throws Exception {
        HomeFixture home =
                homeFixtureExtension.newHome().settings(HomeFixture.hooks()).file("secrets/console-password", " \n");
        Path file = home.directory().resolve("secrets/console-password");

        PosternProcess ended = home.serve("--port", "0");

        assertThat(ended.awaitExit()).isEqualTo(1);
        assertThat(ended.log().lines())
                .singleElement()
                .asString()
                .startsWith("postern: console [" + file + "]: needs the file " + file + ", which is empty; ");
        assertThat(home.directory().resolve("data/postern.db")).doesNotExist();
        assertCheckTells(home, "problem: console [" + file + "]: ");
    }

    @Test
    void namesPasswordFileThatCanNotBeMade() throws Exception {
        HomeFixture home =
                homeFixtureExtension.newHome().settings(HomeFixture.hooks()).file("secrets", "no directory");
        Path file = home.directory().resolve("secrets/console-password");

        PosternProcess ended = home.serve("--port", "0");

        assertThat(ended.awaitExit()).isEqualTo(1);
        assertThat(ended.log())
                .contains("postern: console [" + file + "]: ", "console: off")
                .doesNotContain("\tat ");
        assertCheckTells(home, "problem: console [" + file + "]: ");
    }

    @Test
    void needsNoPasswordWithoutConsole() throws Exception {
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settings(HomeFixture.hooks(), "console: off")
                .file("secrets/console-password", "");

        PosternProcess postern = home.start();

        assertThat(postern.stop()).isZero();
        assertThat(Files.size(home.directory().resolve("secrets/console-password")))
                .isZero();
    }

    private static void assertCheckTells(HomeFixture home, String beginning) {
        PosternProcess check = home.run("check", "--home", home.directory().toString());

        assertThat(check.awaitExit()).isEqualTo(1);
        assertThat(check.out().lines().filter(line -> line.startsWith(beginning)))
                .hasSize(1);
        assertThat(check.out()).doesNotContain("ok: ");
    }
}
