package dev.postern.app.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A test of the scripts in the shells that they are for. */
class ShellCompletionTest {

    /** Types a line and a tab in a terminal of zsh, and prints between angle brackets what the line becomes. */
    private static final String TERMINAL =
            """
            zmodload zsh/zpty
            zpty terminal zsh -f -i
            zpty -w terminal 'postern() { :; }; show() { print -r -- "<$BUFFER>" }; zle -N show; bindkey "^G" show'
            zpty -w terminal "source '$1'; echo REA''DY"
            zpty -r -m terminal out '*READY*'
            zpty -n -w terminal "$2"$'\\t\\C-g'
            zpty -r -m terminal out '*<*>*'
            print -r -- "$out"
            zpty -d terminal
            """;

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({
        "postern ch, check",
        "postern mail se, setup",
        "postern serve --p, --port",
        "postern --p, --port",
        "postern check --online --h, --home",
        "postern mail setup --security start, starttls",
        "postern mail setup --smtp-security start, starttls",
        "postern mail setup --ans, --answer-to",
        "postern mail test --acc, --account",
        "postern completion z, zsh",
        "postern import openclaw.json --h, --home",
        "postern import pom.x, pom.xml",
        "postern backup --wi, --without-secrets",
        "postern backup --without-secrets --t, --to",
        "postern restore pom.x, pom.xml",
        "postern restore pom.xml --re, --replace",
        "postern verify pom.x, pom.xml",
        "postern backup --to pom.x, pom.xml",
        "postern copy-database --u, --username"
    })
    void completesCommandsOptionsAndValues(String line, String completed) throws IOException, InterruptedException {
        assertThat(complete(line)).containsExactly(completed);
    }

    @Test
    void offersEveryCommand() throws IOException, InterruptedException {
        assertThat(complete("postern "))
                .containsExactlyInAnyOrder(
                        "serve",
                        "check",
                        "explain",
                        "backtest",
                        "import",
                        "mail",
                        "token",
                        "compact",
                        "backup",
                        "restore",
                        "verify",
                        "copy-database",
                        "completion",
                        "version",
                        "help");
    }

    @Test
    void offersNothingWhereTextIsFree() throws IOException, InterruptedException {
        assertThat(complete("postern serve --port ")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "postern ch, 'postern check '",
        "postern mail setup --security start, 'postern mail setup --security starttls '",
        "postern completion z, 'postern completion zsh '"
    })
    void completesInZshToo(String line, String completed) throws IOException, InterruptedException {
        assumeTrue(isZshInstalled(), "zsh is not installed");
        Path script = Files.writeString(directory.resolve("completion.zsh"), ShellCompletion.script("zsh"));
        Process zsh = new ProcessBuilder("zsh", "-f", "-c", TERMINAL, "zsh", script.toString(), line)
                .redirectErrorStream(true)
                .start();

        String out = new String(zsh.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(zsh.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(out).contains("<" + completed + ">");
    }

    private static boolean isZshInstalled() {
        return Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, "zsh")));
    }

    private static List<String> complete(String line) throws IOException, InterruptedException {
        String[] words = line.split(" ", -1);
        String script = ShellCompletion.script("bash")
                + "COMP_WORDS=(" + String.join(" ", quoted(words)) + ")\nCOMP_CWORD=" + (words.length - 1)
                + "\n_postern\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n";
        Process bash = new ProcessBuilder("bash", "--norc", "-c", script)
                .redirectErrorStream(true)
                .start();
        String out = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor(10, TimeUnit.SECONDS)).isTrue();
        return out.lines().filter(each -> !each.isEmpty()).toList();
    }

    private static List<String> quoted(String[] words) {
        return List.of(words).stream().map(word -> "'" + word + "'").toList();
    }
}
