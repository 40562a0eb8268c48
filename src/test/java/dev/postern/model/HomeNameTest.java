package dev.postern.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.InvalidPathException;
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
        assertThat(name.directory(USER.toString())).isEqualTo(USER.resolve(".postern"));
    }

    @Test
    void isAbsoluteAndKnowsTheUsersHomeByItsTilde() {
        assertThat(new HomeName("~/x", "").directory(USER.toString())).isEqualTo(USER.resolve("x"));
        assertThat(new HomeName("~", "").directory(USER.toString())).isEqualTo(USER);
        assertThat(new HomeName("~x/../y", "").directory(USER.toString()))
                .isEqualTo(Path.of("y").toAbsolutePath());
    }

    @Test
    void tellsALetterThatTheLocaleLacksFromWhatIsNoPath() {
        InvalidPathException letter = new InvalidPathException("h\uFFFD\uFFFDme", "unmappable");
        InvalidPathException nul = new InvalidPathException("h\u00F6\0me", "Nul character not allowed");

        assertThat(HomeName.wrong(letter)).contains("locale");
        assertThat(HomeName.advice(letter)).contains("LC_ALL=C.UTF-8");
        assertThat(HomeName.wrong(nul)).isEqualTo("is no path");
        assertThat(HomeName.advice(nul)).contains("POSTERN_HOME");
    }

    @Test
    void needsNoUserHomeForAnAbsoluteName() {
        assertThat(new HomeName("/srv/postern", "").directory("no \0 path")).isEqualTo(Path.of("/srv/postern"));
    }

    private static HomeName ofProcess(Map<String, String> properties, Map<String, String> variables) {
        return HomeName.ofProcess(properties::get, variables::get);
    }
}
