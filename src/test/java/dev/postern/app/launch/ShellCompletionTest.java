package dev.postern.app.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A test of the scripts in the shells that they are for. */
class ShellCompletionTest {

    /** Types a line and a tab in a terminal of a shell, and prints between angle brackets what the line becomes. */
    private static final String TERMINAL =
            """
            zmodload zsh/zpty
            zpty terminal $3
            zpty -w terminal 'postern() { :; }'
            zpty -w terminal "$4"
            zpty -w terminal "source '$1'; echo REA''DY"
            zpty -r -m terminal out '*READY*'
            zpty -n -w terminal "$2"$'\\t\\C-g'
            zpty -r -m terminal out '*<*>*'
            print -r -- "$out"
            zpty -d terminal
            """;

    private static final List<String> ZSH =
            List.of("zsh -f -i", "show() { print -r -- \"<$BUFFER>\" }; zle -N show; bindkey '^G' show");

    private static final List<String> BASH =
            List.of("bash --norc --noprofile -i", "bind -x '\"\\C-g\": printf \"<%s>\" \"$READLINE_LINE\"'");

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
        "postern explain gmail pom.x, pom.xml",
        "postern explain --home . gmail pom.x, pom.xml",
        "postern explain gmail --header X-A = b:c --sender ann pom.x, pom.xml",
        "postern explain gmail pom.xml --send, --sender",
        "postern explain gmail --send, --sender",
        "postern --log-format j, json",
        "postern serve --log-format t, text",
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
        assertThat(complete("postern explain pom.x")).isEmpty();
        assertThat(complete("postern explain gmail pom.xml pom.x")).isEmpty();
    }

    @Test
    void offersEachFileAsOneWord() throws IOException, InterruptedException {
        Files.createFile(directory.resolve("my file.json"));
        Files.createDirectory(directory.resolve("my home"));
        Files.createFile(directory.resolve("my*"));

        assertThat(complete("postern verify my")).containsExactlyInAnyOrder("my file.json", "my home", "my*");
        assertThat(complete("postern serve --home my")).containsExactly("my home");
    }

    @ParameterizedTest
    @CsvSource({
        "postern che, 'postern check '",
        "postern verify my, 'postern verify my\\ file.json '",
        "postern verify my\\ f, 'postern verify my\\ file.json '",
        "postern serve --home pla, 'postern serve --home place/'"
    })
    void completesInBashesTerminal(String line, String completed) throws IOException, InterruptedException {
        assertThat(typed("bash", BASH, line)).contains("<" + completed + ">");
    }

    @ParameterizedTest
    @CsvSource({
        "postern ch, 'postern check '",
        "postern mail setup --security start, 'postern mail setup --security starttls '",
        "postern completion z, 'postern completion zsh '",
        "postern verify my, 'postern verify my\\ file.json '"
    })
    void completesInZshToo(String line, String completed) throws IOException, InterruptedException {
        assertThat(typed("zsh", ZSH, line)).contains("<" + completed + ">");
    }

    /** What a terminal shows after {@code line} and a tab, in a directory with a few names. */
    private String typed(String shell, List<String> terminal, String line) throws IOException, InterruptedException {
        assumeTrue(isZshInstalled(), "zsh is not installed");
        for (String each : List.of("check", "place")) {
            Files.createDirectory(directory.resolve(each));
        }
        Files.createFile(directory.resolve("my file.json"));
        Path script = Files.writeString(directory.resolve("completion"), ShellCompletion.script(shell));
        List<String> command = new ArrayList<>(List.of("zsh", "-f", "-c", TERMINAL, "zsh", script.toString(), line));
        command.addAll(terminal);
        Process zsh = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String out = new String(zsh.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(zsh.waitFor(10, TimeUnit.SECONDS)).isTrue();
        return out;
    }

    private static boolean isZshInstalled() {
        return Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, "zsh")));
    }

    private List<String> complete(String line) throws IOException, InterruptedException {
        String[] words = line.split(" ", -1);
        String script = ShellCompletion.script("bash")
                + "COMP_WORDS=(" + String.join(" ", quoted(words)) + ")\nCOMP_CWORD=" + (words.length - 1)
                + "\n_postern\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n";
        Files.writeString(directory.resolve("pom.xml"), "");
        Process bash = new ProcessBuilder("bash", "--norc", "-c", script)
                .directory(directory.toFile())
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
