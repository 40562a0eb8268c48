package dev.postern.app;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A prompt for the person who runs a command. If there is no terminal, the answers are the lines of standard input. */
final class TerminalPrompt {

    private final @Nullable Console console;
    private final BufferedReader lines;
    private final PrintStream err;

    /**
     * @param console null if there is no terminal
     * @param in the input to read then
     * @param err gets the questions, so that they are not in saved output
     */
    TerminalPrompt(@Nullable Console console, InputStream in, PrintStream err) {
        this.console = console;
        this.lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        this.err = err;
    }

    /** Asks for a secret, which is not shown while it is typed; empty if there is no answer. */
    String secret(String question) throws IOException {
        if (console == null) {
            return line(question);
        }
        char[] typed = console.readPassword("%s: ", question);
        return typed == null ? "" : new String(typed).strip();
    }

    /** Asks for a text; empty if there is no answer. */
    String text(String question) throws IOException {
        if (console == null) {
            return line(question);
        }
        String typed = console.readLine("%s: ", question);
        return typed == null ? "" : typed.strip();
    }

    private String line(String question) throws IOException {
        err.println(question + " (one line on standard input)");
        String line = lines.readLine();
        return line == null ? "" : line.strip();
    }
}
