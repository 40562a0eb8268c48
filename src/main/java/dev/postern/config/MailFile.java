package dev.postern.config;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.postern.config.ConfigurationNode.Field;
import dev.postern.config.ConfigurationNode.Fields;
import dev.postern.config.SettingDeclaration.Group;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The configuration file that {@code mail setup} writes into a home. It holds {@code hooks.gmail}, in the shape of the main
 * file, and nothing else.
 *
 * @param path absolute
 */
record MailFile(Path path) {

    static final String NAME = "mail.yaml";

    private static final List<String> HEAD = List.of(
            "# Written by \"java -jar postern.war mail setup\", which replaces it. Delete it to switch the watch off.",
            "hooks:",
            "  gmail:");

    /** The values that need no quotes: a number, true or false. */
    private static final Pattern NO_TEXT = Pattern.compile("true|false|[1-9][0-9]{0,8}");

    static MailFile in(Path home) {
        return new MailFile(home.resolve(NAME));
    }

    /** Whether the file exists, even as a link to nothing. */
    boolean exists() {
        return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
    }

    /** The section in the file; empty if there is none or it is unreadable, which is reported as a problem. */
    Optional<MailSection> read(ConfigurationProblems problems) {
        return exists()
                ? ConfigurationFile.read(path, problems)
                        .flatMap(root -> section(root, "remove it there, or delete " + path, problems))
                : Optional.empty();
    }

    /** A new content of the file with {@code settings}, by their names below {@code hooks.gmail}. */
    Draft draft(Map<String, String> settings) {
        List<String> lines = new ArrayList<>(HEAD);
        List<ValueOrigin> origins = new ArrayList<>();
        HEAD.forEach(line -> origins.add(ValueOrigin.file(path)));
        write("", GmailFields.GMAIL, settings, lines, origins);
        return new Draft(this, String.join("\n", lines) + "\n", origins);
    }

    /**
     * A draft of the file's content.
     *
     * @param origins the origin of each line
     */
    record Draft(MailFile file, String text, List<ValueOrigin> origins) {

        /**
         * The section that a start would read from the draft; empty if it is unreadable, which is reported as a
         * problem.
         */
        Optional<MailSection> section(ConfigurationProblems problems) {
            JsonConfigurationReader.Locator locator = (line, column) -> origins.get(Math.min(line, origins.size()) - 1);
            return new YamlConfigurationReader(locator, problems)
                    .read(text)
                    .flatMap(root -> file.section(root, "remove it there, and give the command again", problems));
        }
    }

    private static void write(
            String path, Group group, Map<String, String> settings, List<String> lines, List<ValueOrigin> origins) {
        String indent = "    " + (path.isEmpty() ? "" : "  ");
        for (SettingDeclaration settingDeclaration : group.members()) {
            String full = SettingNames.join(path, settingDeclaration.name());
            String value = settings.get(full);
            if (value != null) {
                lines.add(indent + settingDeclaration.name() + ": " + spelled(value));
                origins.add(option(settingDeclaration.name()));
            } else if (settingDeclaration instanceof Group inner
                    && settings.keySet().stream().anyMatch(name -> name.startsWith(full + "."))) {
                lines.add(indent + settingDeclaration.name() + ":");
                origins.add(option(settingDeclaration.name()));
                write(full, inner, settings, lines, origins);
            }
        }
    }

    private static ValueOrigin option(String setting) {
        return new ValueOrigin("--" + setting.replaceAll("(?=[A-Z])", "-").toLowerCase(Locale.ROOT));
    }

    /** The YAML of {@code value}. */
    static String spelled(String value) {
        return NO_TEXT.matcher(value).matches()
                ? value
                : '"' + new String(JsonStringEncoder.getInstance().quoteAsString(value)) + '"';
    }

    private Optional<MailSection> section(ConfigurationNode root, String remedy, ConfigurationProblems problems) {
        return sole("", MailSection.HOOKS, root, problems)
                .flatMap(hooks -> sole(MailSection.HOOKS, MailSection.GMAIL, hooks.value(), problems))
                .map(gmail -> new MailSection(path, gmail, remedy));
    }

    /** The field {@code name} of {@code node}; any other field is reported as a problem. */
    private Optional<Field> sole(String where, String name, ConfigurationNode node, ConfigurationProblems problems) {
        if (node instanceof ConfigurationNode.Nothing) {
            return Optional.empty();
        }
        if (!(node instanceof Fields fields)) {
            String setting = where.isEmpty() ? "configuration" : where;
            problems.add(setting, node.origin(), "is " + node.noun(), "write a map of name: value");
            return Optional.empty();
        }
        fields.byName().forEach((other, field) -> {
            if (!other.equals(name)) {
                problems.add(
                        SettingNames.join(where, other),
                        field.nameOrigin(),
                        "stands in " + NAME + ", which may hold hooks.gmail and nothing else",
                        "write it into the main configuration file, or remove it");
            }
        });
        return Optional.ofNullable(fields.byName().get(name))
                .filter(field -> !(field.value() instanceof ConfigurationNode.Nothing));
    }
}
