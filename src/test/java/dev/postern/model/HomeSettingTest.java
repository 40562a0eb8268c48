package dev.postern.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the home that the launcher and the program both find. */
class HomeSettingTest {

    private static final Path USER = Path.of("/home/p");

    @Test
    void optionOfTheCommandLineComesFirst() {
        HomeSetting name = ofProcess(
                Map.of(HomeSetting.OPTION_PROPERTY, "/option", "postern.home", "/property"),
                Map.of("POSTERN_HOME", "/variable"));

        assertThat(name).isEqualTo(new HomeSetting("/option", "--home"));
    }

    @Test
    void isNotTheBlankPropertyThatHidesTheVariable() {
        HomeSetting name = ofProcess(Map.of("postern.home", " "), Map.of("POSTERN_HOME", "/variable "));

        assertThat(name).isEqualTo(new HomeSetting("/variable", "environment variable POSTERN_HOME"));
    }

    @Test
    void isThePropertyBeforeTheVariable() {
        HomeSetting name = ofProcess(Map.of("postern.home", "/property"), Map.of("POSTERN_HOME", "/variable"));

        assertThat(name).isEqualTo(new HomeSetting("/property", "system property postern.home"));
    }

    @Test
    void isTheUsersOwnWhereNothingIsSaid() {
        HomeSetting name = ofProcess(Map.of(), Map.of("POSTERN_HOME", ""));

        assertThat(name.origin()).isEqualTo("default");
        assertThat(name.directory(USER.toString())).isEqualTo(USER.resolve(".postern"));
    }

    @Test
    void takesTheVariableHomeBeforeTheAccountsHome() {
        Map<String, String> account = Map.of("user.home", "/account");

        assertThat(HomeSetting.userHome(account::get, Map.of("HOME", "/variable")::get))
                .isEqualTo("/variable");
        assertThat(HomeSetting.userHome(account::get, Map.of("HOME", " ")::get)).isEqualTo("/account");
        assertThat(HomeSetting.userHome(account::get, Map.<String, String>of()::get))
                .isEqualTo("/account");
    }

    @Test
    void isAbsoluteAndKnowsTheUsersHomeByItsTilde() {
        assertThat(new HomeSetting("~/x", "").directory(USER.toString())).isEqualTo(USER.resolve("x"));
        assertThat(new HomeSetting("~", "").directory(USER.toString())).isEqualTo(USER);
        assertThat(new HomeSetting("~x/../y", "").directory(USER.toString()))
                .isEqualTo(Path.of("y").toAbsolutePath());
    }

    @Test
    void tellsALetterThatTheLocaleLacksFromWhatIsNoPath() {
        InvalidPathException letter = new InvalidPathException("h\uFFFD\uFFFDme", "unmappable");
        InvalidPathException nul = new InvalidPathException("h\u00F6\0me", "Nul character not allowed");

        assertThat(HomeSetting.wrong(letter)).contains("locale");
        assertThat(HomeSetting.advice(letter)).contains("LC_ALL=C.UTF-8");
        assertThat(HomeSetting.wrong(nul)).isEqualTo("is no path");
        assertThat(HomeSetting.advice(nul)).contains("POSTERN_HOME");
    }

    @ParameterizedTest
    @ValueSource(strings = {"?", ""})
    void isNotBelowTheHomeOfAUserWithoutOne(String account) {
        String userHome = HomeSetting.userHome(Map.of("user.home", account)::get, Map.<String, String>of()::get);

        assertThatThrownBy(() -> ofProcess(Map.of(), Map.of()).directory(userHome))
                .isInstanceOfSatisfying(InvalidPathException.class, malformed -> {
                    assertThat(HomeSetting.wrong(malformed))
                            .isEqualTo("is below the home of this process's user, who has none");
                    assertThat(HomeSetting.advice(malformed)).contains("name a directory", "POSTERN_HOME");
                });
        assertThat(new HomeSetting("x", "").directory(userHome))
                .isEqualTo(Path.of("x").toAbsolutePath());
    }

    @Test
    void needsNoUserHomeForAnAbsoluteName() {
        assertThat(new HomeSetting("/srv/postern", "").directory("no \0 path")).isEqualTo(Path.of("/srv/postern"));
    }

    private static HomeSetting ofProcess(Map<String, String> properties, Map<String, String> variables) {
        return HomeSetting.ofProcess(properties::get, variables::get);
    }
}
