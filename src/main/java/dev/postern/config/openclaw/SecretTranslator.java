package dev.postern.config.openclaw;

import dev.postern.config.ConfigurationNode;
import dev.postern.config.ConfigurationNode.Fields;
import dev.postern.config.ConfigurationNode.Form;
import dev.postern.config.ConfigurationNode.Scalar;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A translator of secrets. One that stands in the file as it is goes into a file of its own. One that stands in an environment
 * variable stays there.
 */
final class SecretTranslator {

    private static final String DIRECTORY = "secrets";
    private static final String INSTEAD = "write the secret into a file, and ${file:path} here";

    private final ImportNotes notes;
    private final EnvironmentText environment;
    private final Map<Path, String> files = new LinkedHashMap<>();
    private final Set<String> variables = new LinkedHashSet<>();
    private final Set<String> inlined = new LinkedHashSet<>();

    SecretTranslator(ImportNotes notes, EnvironmentText environment) {
        this.notes = notes;
        this.environment = environment;
    }

    /** The contents of the files, by path below the home. */
    Map<Path, String> files() {
        return files;
    }

    /** The environment variables that Postern needs. */
    Set<String> variables() {
        return variables;
    }

    /** The variables that the file itself sets, and that a secret refers to. */
    Set<String> inlined() {
        return inlined;
    }

    /**
     * Translates the secret at {@code node}.
     *
     * @param path its full name in OpenClaw's configuration
     * @param setting its full name in Postern's, which the file is named after
     * @return a reference; empty if the secret is absent, blank, or somewhere where Postern doesn't look, which is noted
     */
    Optional<Scalar> translate(String path, String setting, @Nullable ConfigurationNode node) {
        if (node == null) {
            return Optional.empty();
        }
        if (node instanceof Fields reference) {
            return ofReference(path, reference);
        }
        if (!(node instanceof Scalar scalar) || scalar.form() == Form.FLAG) {
            notes.notTaken(node.origin(), path, "it is " + node.noun(), "write a text");
            return Optional.empty();
        }
        if (scalar.text().isBlank()) {
            notes.notTaken(node.origin(), path, "it is blank", INSTEAD);
            return Optional.empty();
        }
        if (EnvironmentText.hasReference(scalar.text())) {
            return EnvironmentText.replaced(scalar.text(), this::ofVariable)
                    .map(text -> SettingsBuilder.text(text, scalar.origin()));
        }
        String literal = environment.resolved(scalar.text()).orElse(scalar.text());
        return Optional.of(SettingsBuilder.text(ofLiteral(setting, literal), scalar.origin()));
    }

    /** A reference to {@code name}, which this process or the file that is imported sets; empty if neither does. */
    Optional<String> ofKnownVariable(String name) {
        return environment.isSet(name) || environment.inline().containsKey(name)
                ? Optional.of(ofVariable(name))
                : Optional.empty();
    }

    /** A reference to {@code name}, which is in the environment unless the file that is imported sets it. */
    String ofVariable(String name) {
        @Nullable String inline = environment.inline().get(name);
        if (inline != null && !environment.isSet(name)) {
            inlined.add(name);
            return ofLiteral(name, inline);
        }
        variables.add(name);
        return "${env:" + name + "}";
    }

    private String ofLiteral(String setting, String secret) {
        String name = "openclaw-" + setting.replaceAll("[^A-Za-z0-9_-]+", "-");
        String content = secret.strip() + "\n";
        Path file = Path.of(DIRECTORY, name);
        for (int next = 2; !files.getOrDefault(file, content).equals(content); next++) {
            file = Path.of(DIRECTORY, name + "-" + next);
        }
        files.put(file, content);
        return "${file:" + DIRECTORY + "/" + file.getFileName() + "}";
    }

    /** Translates OpenClaw's {@code {source, provider, id}}. */
    private Optional<Scalar> ofReference(String path, Fields reference) {
        @Nullable String source = reference.value("source") instanceof Scalar scalar ? scalar.text() : null;
        @Nullable String id = reference.value("id") instanceof Scalar scalar ? scalar.text() : null;
        if ("env".equals(source) && id != null && id.matches("[A-Z_][A-Z0-9_]*")) {
            return Optional.of(SettingsBuilder.text(ofVariable(id), reference.origin()));
        }
        notes.notTaken(reference.origin(), path, "Postern reads secrets from files and environment variables", INSTEAD);
        return Optional.empty();
    }
}
