package dev.postern.config;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.postern.config.ConfigurationNode.Field;
import dev.postern.config.ConfigurationNode.Fields;
import dev.postern.config.SettingDeclaration.Group;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The configuration file that {@code mail setup} writes into a home. In the shape of the main file, it holds
 * {@code hooks.gmail} and perhaps what answers its mails, and nothing else.
 *
 * @param path absolute
 */
record MailFile(Path path) {

    static final String NAME = "mail.yaml";

    private static final List<String> HEAD = List.of(
            "# Written by \"java -jar postern.war mail setup\", which replaces it. Delete it to switch the watch off.",
            "hooks:",
            "  gmail:");

    private static final List<String> ANSWERS =
            List.of("  presetReplyTo:", "    gmail: source", "channels:", "  mail:");

    /** The options for settings of the channel, where they are named otherwise than these settings. */
    private static final Map<String, ValueOrigin> CHANNEL_OPTIONS = Map.of(
            "host", new ValueOrigin("--smtp-host"),
            "port", new ValueOrigin("--smtp-port"),
            "security", new ValueOrigin("--smtp-security"),
            "from", new ValueOrigin("--account"),
            "allow", new ValueOrigin("--answer-to"));

    /** The values that need no quotes: a number, true or false. */
    private static final Pattern NO_TEXT = Pattern.compile("true|false|[1-9][0-9]{0,8}");

    static MailFile in(Path home) {
        return new MailFile(home.resolve(NAME));
    }

    /** Whether the file exists, even as a link to nothing. */
    boolean exists() {
        return ConfigurationFile.exists(path);
    }

    /** The section in the file; empty if there is none or it is unreadable, which is reported as a problem. */
    Optional<MailSection> read(ConfigurationProblems problems) {
        return exists()
                ? ConfigurationFile.read(path, problems)
                        .flatMap(root -> section(root, "remove it there, or delete " + path, problems))
                : Optional.empty();
    }

    /**
     * A new content of the file.
     *
     * @param settings the values by their names below {@code hooks.gmail}
     * @param answers the values by their names below {@code channels.mail}, with commas between those of a list; empty for a
     *     mailbox whose mails get no answers
     */
    Draft draft(Map<String, String> settings, Map<String, String> answers) {
        List<String> lines = new ArrayList<>(HEAD);
        List<ValueOrigin> origins = new ArrayList<>();
        HEAD.forEach(line -> origins.add(ValueOrigin.file(path)));
        write("", GmailFields.GMAIL, settings, lines, origins);
        if (!answers.isEmpty()) {
            ANSWERS.forEach(line -> origins.add(ValueOrigin.file(path)));
            lines.addAll(ANSWERS);
            answers.forEach((setting, value) -> {
                boolean list = setting.equals(MailChannelRules.ALLOW.name());
                lines.add("    " + setting + ": " + (list ? spelledList(value) : spelled(value)));
                origins.add(CHANNEL_OPTIONS.getOrDefault(setting, option(setting)));
            });
        }
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

    /** The YAML of {@code value}, which spells a number, true or false, or else a text. */
    static String spelled(String value) {
        return NO_TEXT.matcher(value).matches() ? value : quoted(value);
    }

    /** The YAML of {@code value} as a text. */
    static String quoted(String value) {
        return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(value)) + '"';
    }

    private static String spelledList(String value) {
        return Stream.of(value.split(",", -1))
                .map(String::strip)
                .map(MailFile::spelled)
                .collect(Collectors.joining(", ", "[", "]"));
    }

    private Optional<MailSection> section(ConfigurationNode root, String remedy, ConfigurationProblems problems) {
        Map<String, Field> fields = new LinkedHashMap<>();
        collect("", root, fields, problems);
        if (fields.containsKey(MailSection.MAILBOX)) {
            return Optional.of(new MailSection(path, fields, remedy));
        }
        fields.forEach((setting, field) -> problems.add(
                setting,
                field.nameOrigin(),
                "stands in " + NAME + " without " + MailSection.MAILBOX,
                "write it into the main configuration file, or remove it"));
        return Optional.empty();
    }

    /** Adds the fields of {@link MailSection#SETTINGS} in {@code node}; any other one is reported as a problem. */
    private void collect(
            String where, ConfigurationNode node, Map<String, Field> collected, ConfigurationProblems problems) {
        if (node instanceof ConfigurationNode.Nothing) {
            return;
        }
        if (!(node instanceof Fields fields)) {
            String setting = where.isEmpty() ? "configuration" : where;
            problems.add(setting, node.origin(), "is " + node.noun(), "write a map of name: value");
            return;
        }
        fields.byName().forEach((name, field) -> {
            String setting = SettingNames.join(where, name);
            if (MailSection.SETTINGS.contains(setting)) {
                if (!(field.value() instanceof ConfigurationNode.Nothing)) {
                    collected.put(setting, field);
                }
            } else if (MailSection.SETTINGS.stream().anyMatch(known -> known.startsWith(setting + "."))) {
                collect(setting, field.value(), collected, problems);
            } else {
                problems.add(
                        setting,
                        field.nameOrigin(),
                        "stands in " + NAME + ", which may hold " + String.join(", ", MailSection.SETTINGS)
                                + " and nothing else",
                        "write it into the main configuration file, or remove it");
            }
        });
    }
}
