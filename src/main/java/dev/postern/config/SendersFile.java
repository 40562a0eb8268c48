package dev.postern.config;

import dev.postern.config.ConfigurationNode.Field;
import dev.postern.config.ConfigurationNode.Fields;
import dev.postern.config.ConfigurationNode.Items;
import dev.postern.config.ConfigurationNode.Scalar;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The configuration file that {@code token new} writes into a home. It holds {@code senders}, in the shape of the main file,
 * and nothing else.
 *
 * @param path absolute
 */
record SendersFile(Path path) {

    static final String NAME = "senders.yaml";

    private static final String SENDERS = SendersSection.SENDERS.name();

    private static final String HEAD =
            """
            # Written by "java -jar postern.war token new", which keeps all of it but comments. Each token itself was shown once.
            senders:
            """;

    static SendersFile in(Path home) {
        return new SendersFile(home.resolve(NAME));
    }

    /** Whether the file exists, even as a link to nothing. */
    boolean exists() {
        return ConfigurationFile.exists(path);
    }

    /** The senders in the file; empty if there are none or it is unreadable, which is reported as a problem. */
    Optional<Fields> read(ConfigurationProblems problems) {
        return exists()
                ? ConfigurationFile.read(path, problems).flatMap(root -> senders(root, problems))
                : Optional.empty();
    }

    private static Optional<Fields> senders(ConfigurationNode root, ConfigurationProblems problems) {
        if (!(root instanceof Fields fields)) {
            problems.add("configuration", root.origin(), "is " + root.noun(), "write a map of name: value");
            return Optional.empty();
        }
        fields.byName().forEach((name, field) -> {
            if (!name.equals(SENDERS)) {
                problems.add(
                        name,
                        field.nameOrigin(),
                        "stands in " + NAME + ", which may hold senders and nothing else",
                        "write it into the main configuration file, or remove it");
            }
        });
        @Nullable ConfigurationNode senders = fields.value(SENDERS);
        if (senders != null && !(senders instanceof Fields)) {
            problems.add(SENDERS, senders.origin(), "is " + senders.noun(), "write a map of name: value");
        }
        return senders instanceof Fields entries ? Optional.of(entries) : Optional.empty();
    }

    /** {@code main} with {@code senders} added. A sender that it has itself is reported as a problem. */
    static ConfigurationNode addTo(ConfigurationNode main, Fields senders, ConfigurationProblems problems) {
        if (!(main instanceof Fields root)) {
            return main;
        }
        @Nullable ConfigurationNode given = root.value(SENDERS);
        if (given != null && !(given instanceof Fields)) {
            return main; // which is reported as a problem elsewhere
        }
        Fields all = given instanceof Fields fields ? fields : Fields.empty(senders.origin());
        for (var entry : senders.byName().entrySet()) {
            @Nullable Field other = all.byName().get(entry.getKey());
            if (other != null) {
                problems.add(
                        SettingNames.join(SENDERS, entry.getKey()),
                        entry.getValue().nameOrigin(),
                        "stands at " + other.nameOrigin() + " too",
                        "remove it at one of the two places, or choose another id");
            } else {
                all = all.with(entry.getKey(), entry.getValue().value());
            }
        }
        return root.with(SENDERS, all);
    }

    /** The content of a file with {@code senders}, whose settings hold texts and lists of texts alone. */
    static String text(Fields senders) {
        StringBuilder text = new StringBuilder(HEAD);
        senders.byName().forEach((id, entry) -> {
            text.append("  ").append(MailFile.spelled(id)).append(":\n");
            if (entry.value() instanceof Fields settings) {
                settings.byName().forEach((name, field) -> text.append("    ")
                        .append(name)
                        .append(": ")
                        .append(spelled(field.value()))
                        .append('\n'));
            }
        });
        return text.toString();
    }

    private static String spelled(ConfigurationNode node) {
        if (node instanceof Items items) {
            return items.nodes().stream().map(SendersFile::spelled).collect(Collectors.joining(", ", "[", "]"));
        }
        return node instanceof Scalar scalar ? spelledValue(scalar) : "";
    }

    private static String spelledValue(Scalar scalar) {
        return switch (scalar.form()) {
            case NUMBER, FLAG -> scalar.text();
            case TEXT -> MailFile.quoted(scalar.text());
            case LOOSE -> MailFile.spelled(scalar.text());
        };
    }
}
