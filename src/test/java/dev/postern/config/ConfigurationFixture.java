package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.net.OwnerOnlyFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** A home and a process for a test: the files in the home, and the environment of the process. */
public final class ConfigurationFixture {

    static final String TOKEN = "a-token-that-is-long-enough-01";

    /** The smallest configuration that enables hooks. */
    static final String SERVING = "hooks:\n  enabled: true\n  token: " + TOKEN + "\n";

    private final Path home;
    private final Map<String, Object> jndi = new HashMap<>();
    private final Map<String, String> contextParams = new HashMap<>();
    private final Map<String, String> properties = new HashMap<>();
    private final Map<String, String> variables = new HashMap<>();
    private Path userHome;

    private ConfigurationFixture(Path home) {
        this.home = home;
        this.userHome = home;
        variables.put("POSTERN_HOME", home.toString());
    }

    static ConfigurationFixture home(Path home) {
        return new ConfigurationFixture(home);
    }

    /** A home with a {@code postern.yaml}. */
    public static ConfigurationFixture yaml(Path home, String text) {
        return home(home).file("postern.yaml", text);
    }

    ConfigurationFixture file(String name, String text) {
        try {
            Path file = home.resolve(name);
            OwnerOnlyFiles.createDirectories(file.getParent());
            OwnerOnlyFiles.create(file);
            Files.writeString(file, text);
            return this;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    ConfigurationFixture jndi(String name, Object value) {
        jndi.put(name, value);
        return this;
    }

    /** Binds {@code name} to an object that the server can't give. */
    ConfigurationFixture unresolvedJndi(String name, String cause) {
        return jndi(name, new JndiLookup.Unresolved("java:comp/env/" + name, cause));
    }

    ConfigurationFixture contextParam(String name, String value) {
        contextParams.put(name, value);
        return this;
    }

    ConfigurationFixture property(String name, String value) {
        properties.put(name, value);
        return this;
    }

    ConfigurationFixture variable(String name, String value) {
        variables.put(name, value);
        return this;
    }

    ConfigurationFixture withoutVariable(String name) {
        variables.remove(name);
        return this;
    }

    ConfigurationFixture userHome(Path directory) {
        userHome = directory;
        return this;
    }

    ProcessEnvironment environment() {
        return new ProcessEnvironment(
                new Jndi(jndi),
                name -> Optional.ofNullable(contextParams.get(name)),
                properties,
                variables,
                userHome.toString(),
                () -> ZoneId.of("Europe/Berlin"));
    }

    public ConfigurationResult load() {
        return new ConfigurationLoader(environment()).load(ConfigurationLoader.Mode.SERVE);
    }

    ConfigurationResult check() {
        return new ConfigurationLoader(environment()).load(ConfigurationLoader.Mode.CHECK);
    }

    ConfigurationResult loadText(String text) {
        return new ConfigurationLoader(environment()).loadText(text);
    }

    ConfigurationResult.Configured configured() {
        ConfigurationResult outcome = load();
        assertThat(outcome)
                .withFailMessage(() -> "refused: " + ((ConfigurationResult.Rejected) outcome).problems())
                .isInstanceOf(ConfigurationResult.Configured.class);
        return (ConfigurationResult.Configured) outcome;
    }

    /** The settings that a start would use. */
    public Settings settings() {
        return configured().settings();
    }

    List<ConfigurationProblem> problems() {
        ConfigurationResult outcome = load();
        assertThat(outcome).isInstanceOf(ConfigurationResult.Rejected.class);
        return ((ConfigurationResult.Rejected) outcome).problems();
    }

    /** The problems, one readable line each. */
    List<String> problemLines() {
        return problems().stream().map(ConfigurationProblem::toString).toList();
    }

    List<String> warnings() {
        return load().warnings().stream().map(ConfigurationWarning::toString).toList();
    }

    /** The JNDI of a server that lists its names. */
    private record Jndi(Map<String, Object> bound) implements JndiLookup {

        @Override
        public Optional<Entry> find(String name) {
            return Optional.ofNullable(bound.get(name))
                    .map(value -> value instanceof Unresolved unresolved
                            ? unresolved
                            : new Bound("java:comp/env/" + name, value));
        }

        @Override
        public SortedMap<String, String> below(String context) {
            SortedMap<String, String> fullNames = new TreeMap<>();
            bound.keySet().stream()
                    .filter(name -> name.startsWith(context + "/"))
                    .map(name -> name.substring(context.length() + 1).replaceFirst("/.*", ""))
                    .forEach(name -> fullNames.put(name, "java:comp/env/" + context + "/" + name));
            return fullNames;
        }
    }
}
