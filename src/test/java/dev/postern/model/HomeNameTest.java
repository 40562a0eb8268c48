package dev.postern.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Where a process finds its home, for the launcher and for the program alike. */
class HomeNameTest {

    private static final Path USER = Path.of("/home/p");

    @Test
    void isNotTheBlankPropertyThatHidesTheVariable() {
        HomeName name = ofProcess(Map.of("postern.home", " "), Map.of("POSTERN_HOME", "/variable "));

        assertThat(name).isEqualTo(new HomeName("/variable", "environment variable POSTERN_HOME"));
    }

    @Test
    void isThePropertyBeforeTheVariable() {
        HomeName name = ofProcess(Map.of("postern.home", "/property"), Map.of("POSTERN_HOME", "/variable"));

        assertThat(name).isEqualTo(new HomeName("/property", "system property postern.home"));
    }

    @Test
    void isTheUsersOwnWhereNothingIsSaid() {
        HomeName name = ofProcess(Map.of(), Map.of("POSTERN_HOME", ""));

        assertThat(name.origin()).isEqualTo("default");
        assertThat(name.directory(USER)).isEqualTo(USER.resolve(".postern"));
    }

    @Test
    void isAbsoluteAndKnowsTheUsersHomeByItsTilde() {
        assertThat(new HomeName("~/x", "").directory(USER)).isEqualTo(USER.resolve("x"));
        assertThat(new HomeName("~", "").directory(USER)).isEqualTo(USER);
        assertThat(new HomeName("~x/../y", "").directory(USER))
                .isEqualTo(Path.of("y").toAbsolutePath());
    }

    private static HomeName ofProcess(Map<String, String> properties, Map<String, String> variables) {
        return HomeName.ofProcess(properties::get, variables::get);
    }
}
