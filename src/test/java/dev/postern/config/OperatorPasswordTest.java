package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the password of the only user of {@code java -jar}. */
class OperatorPasswordTest {

    @TempDir
    Path home;

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", " \t\n"})
    void rejectsBlankFile(String content) throws IOException {
        write(content);

        assertThat(startProblems())
                .isEqualTo(checkProblems())
                .singleElement()
                .asString()
                .startsWith("console [" + file() + "]: needs the file " + file() + ", which is empty; ")
                .contains("write a password into it", "console: off");
        assertThat(file()).hasContent(content);
    }

    @Test
    void rejectsLinkToNothing() throws IOException {
        Files.createDirectory(home.resolve("secrets"));
        Files.createSymbolicLink(file(), home.resolve("nowhere"));

        assertThat(startProblems())
                .isEqualTo(checkProblems())
                .singleElement()
                .asString()
                .contains("which does not exist");
        assertThat(home.resolve("nowhere")).doesNotExist();
    }

    @Test
    void namesFileThatCanNotBeMade() throws IOException {
        Files.writeString(home.resolve("secrets"), "no directory");

        assertThat(startProblems())
                .singleElement()
                .asString()
                .startsWith("console [" + file() + "]: needs the file " + file() + ", which could not be made (");
        assertThat(checkProblems())
                .singleElement()
                .asString()
                .startsWith("console [" + file() + "]: ")
                .contains(home.resolve("secrets") + " is no directory", "console: off");
    }

    @Test
    void checkingTellsWhereTheFileCanNotBeWritten() throws IOException {
        Path secrets = Files.createDirectory(home.resolve("secrets"));
        Files.setPosixFilePermissions(secrets, PosixFilePermissions.fromString("r-x------"));
        assumeThat(Files.isWritable(secrets)).isFalse(); // root may always

        assertThat(checkProblems()).singleElement().asString().contains("may not write there", "console: off");
    }

    @Test
    void checkingMakesNothing() {
        assertThat(checkProblems()).isEmpty();
        assertThat(home).isEmptyDirectory();
    }

    @Test
    void keepsPasswordThatTheFirstStartMakes() {
        OperatorPassword made =
                OperatorPassword.in(home, new ConfigurationProblems()).orElseThrow();

        assertThat(made.password().reveal()).hasSizeGreaterThanOrEqualTo(43);
        assertThat(OperatorPassword.in(home, new ConfigurationProblems())).contains(made);
        assertThat(checkProblems()).isEmpty();
    }

    @Test
    void takesPasswordWithoutSpaceAroundIt() throws IOException {
        write(" of the operator \r\n");

        assertThat(OperatorPassword.in(home, new ConfigurationProblems()))
                .hasValueSatisfying(
                        found -> assertThat(found.password().reveal()).isEqualTo("of the operator"));
    }

    private Path file() {
        return home.resolve("secrets/console-password");
    }

    private void write(String content) throws IOException {
        Files.createDirectory(home.resolve("secrets"));
        Files.writeString(file(), content);
    }

    private List<String> startProblems() {
        ConfigurationProblems problems = new ConfigurationProblems();
        assertThat(OperatorPassword.in(home, problems)).isEmpty();
        return lines(problems);
    }

    private List<String> checkProblems() {
        ConfigurationProblems problems = new ConfigurationProblems();
        OperatorPassword.check(home, problems);
        return lines(problems);
    }

    private static List<String> lines(ConfigurationProblems problems) {
        return problems.problems().stream().map(ConfigurationProblem::toString).toList();
    }
}
