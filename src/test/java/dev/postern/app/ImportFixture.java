package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.config.ConfigurationLoader;
import dev.postern.config.ConfigurationResult.Configured;
import dev.postern.config.ProcessEnvironment;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** An import of a text into a new home, for tests of a few lines. */
final class ImportFixture {

    static final String TOKEN = "hook-token-that-nobody-may-see-1";
    static final String HOOKS = "hooks: { enabled: true, token: '" + TOKEN + "', ";

    final Path home;
    final Path file;
    final Map<String, String> variables = new HashMap<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    ImportFixture(Path directory) {
        home = directory.resolve("home");
        file = directory.resolve("claw").resolve("openclaw.json");
    }

    static String mapping(String part) {
        return "mappings: [ { id: 'a', match: { path: 'a' }, messageTemplate: 'm', " + part + " } ] ";
    }

    ProcessEnvironment environment() {
        return ProcessEnvironment.ofProcess(name -> null).forTrial(home, variables);
    }

    /** The configuration that a start would use. */
    Configured configured() {
        var result = new ConfigurationLoader(environment()).load(ConfigurationLoader.Mode.CHECK);
        assertThat(result).as(result.toString()).isInstanceOf(Configured.class);
        return (Configured) result;
    }

    /** Imports {@code content}; returns the exit code. */
    int run(String content) throws IOException {
        write(file, content);
        return run();
    }

    int run() {
        out.reset();
        err.reset();
        return ImportCommand.run(
                environment(),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                Map.of("file", file.toString()));
    }

    void script(String name, String content) throws IOException {
        write(file.resolveSibling("hooks/transforms").resolve(name), content);
    }

    static Path write(Path target, String content) throws IOException {
        Files.createDirectories(target.getParent());
        return Files.writeString(target, content);
    }

    String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    String err() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
