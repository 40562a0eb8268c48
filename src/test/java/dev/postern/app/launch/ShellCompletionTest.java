package dev.postern.app.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The script for bash, in bash. */
class ShellCompletionTest {

    @ParameterizedTest
    @CsvSource({
        "postern ch, check",
        "postern mail se, setup",
        "postern serve --p, --port",
        "postern --p, --port",
        "postern check --online --h, --home",
        "postern mail setup --security start, starttls",
        "postern mail test --acc, --account",
        "postern completion z, zsh"
    })
    void completesCommandsOptionsAndValues(String line, String completed) throws IOException, InterruptedException {
        assertThat(complete(line)).containsExactly(completed);
    }

    @Test
    void offersEveryCommand() throws IOException, InterruptedException {
        assertThat(complete("postern "))
                .containsExactlyInAnyOrder(
                        "serve", "check", "explain", "mail", "compact", "completion", "version", "help");
    }

    @Test
    void offersNothingWhereTextIsFree() throws IOException, InterruptedException {
        assertThat(complete("postern serve --port ")).isEmpty();
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
