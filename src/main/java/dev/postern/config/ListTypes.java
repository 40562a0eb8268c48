package dev.postern.config;

import dev.postern.config.ConfigurationNode.Fields;
import dev.postern.config.ConfigurationNode.Form;
import dev.postern.config.ConfigurationNode.Items;
import dev.postern.config.ConfigurationNode.Scalar;
import dev.postern.config.SettingDeclaration.Setting;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The value types of settings that hold several values. */
final class ListTypes {

    private ListTypes() {}

    private static final Pattern JSON_BEGINNING = Pattern.compile("\\s*[\\[{]");

    /** The pattern of a model's id. */
    static final Pattern MODEL_ID = Pattern.compile(SectionReader.ID.pattern() + "/\\S+");

    /**
     * The elements of a list, or of the list that a text from outside a file spells; empty if {@code node} is neither.
     */
    static Optional<List<ConfigurationNode>> items(ConfigurationNode node) {
        if (node instanceof Items items) {
            return Optional.of(items.nodes());
        }
        if (node instanceof Scalar scalar && scalar.form() == Form.LOOSE) {
            String text = scalar.text().strip();
            if (text.startsWith("[")) {
                return spelled(scalar).flatMap(ListTypes::items);
            }
            List<ConfigurationNode> parts = new ArrayList<>();
            for (String part : text.split(",", -1)) {
                parts.add(new Scalar(part.strip(), Form.TEXT, node.origin()));
            }
            return Optional.of(parts);
        }
        return Optional.empty();
    }

    /** The map itself, or the one that a text from outside a file spells; empty if {@code node} is neither. */
    static Optional<Fields> fields(ConfigurationNode node) {
        if (node instanceof Fields fields) {
            return Optional.of(fields);
        }
        boolean object = node instanceof Scalar scalar
                && scalar.form() == Form.LOOSE
                && scalar.text().strip().startsWith("{");
        return object ? spelled((Scalar) node).flatMap(ListTypes::fields) : Optional.empty();
    }

    /**
     * The kind of {@code node} in words, as {@link ConfigurationNode#noun()}. A text from outside a file that begins like JSON
     * and is none is named with the place of its error.
     */
    static String noun(ConfigurationNode node) {
        if (!(node instanceof Scalar scalar)
                || scalar.form() != Form.LOOSE
                || !JSON_BEGINNING.matcher(scalar.text()).lookingAt()) {
            return node.noun();
        }
        String[] place = {""};
        ConfigurationProblems faults = new ConfigurationProblems();
        JsonConfigurationReader.Locator locator = (line, column) -> {
            place[0] = "line " + line + ", column " + column; // the last place that is asked for is that of the error
            return scalar.origin();
        };
        new JsonConfigurationReader(locator, faults).read(scalar.text());
        return faults.isEmpty() ? node.noun() : "a text that is no valid JSON at " + place[0];
    }

    private static Optional<ConfigurationNode> spelled(Scalar scalar) {
        ConfigurationProblems faults = new ConfigurationProblems();
        Optional<ConfigurationNode> node =
                new JsonConfigurationReader((line, column) -> scalar.origin(), faults).read(scalar.text());
        return faults.isEmpty() ? node : Optional.empty();
    }

    /** The type of a list of texts; a repeated text counts once. */
    record TextList(ValueType<String> element) implements ValueType<List<String>> {

        @Override
        public String expected() {
            return "a list in square brackets, each entry " + element.expected();
        }

        @Override
        public Parsed<List<String>> parse(ConfigurationNode node, SecretReferences references) {
            Optional<List<ConfigurationNode>> items = items(node);
            if (items.isEmpty()) {
                return mismatch(node);
            }
            Set<String> texts = new LinkedHashSet<>();
            for (ConfigurationNode item : items.get()) {
                Parsed<String> parsed = element.parse(item, references);
                if (parsed instanceof Invalid<String> invalid) {
                    return new Invalid<>("has an entry that " + invalid.wrong(), invalid.instead());
                }
                texts.add(((Valid<String>) parsed).value());
            }
            return new Valid<>(List.copyOf(texts));
        }
    }

    /** The type of a command line: a program and its arguments, not empty. Nothing is dropped or trimmed. */
    record CommandLine() implements ValueType<List<String>> {

        @Override
        public String expected() {
            return "a list in square brackets: the program, then its arguments, each in quotes";
        }

        /** Shows the program alone, because an argument may be a key. */
        @Override
        public String shown(ConfigurationNode node) {
            List<ConfigurationNode> words = items(node).orElse(List.of());
            return words.size() < 2
                    ? EffectiveSettingsReport.text(node)
                    : EffectiveSettingsReport.text(words.get(0)) + " and its arguments (" + (words.size() - 1)
                            + ", not shown)";
        }

        @Override
        public Parsed<List<String>> parse(ConfigurationNode node, SecretReferences references) {
            List<ConfigurationNode> items = items(node).orElse(List.of());
            List<String> words = new ArrayList<>();
            for (ConfigurationNode item : items) {
                if (!(item instanceof Scalar scalar)) {
                    return new Invalid<>("has an entry that is " + item.noun(), "write " + expected());
                }
                words.add(scalar.text());
            }
            return words.isEmpty() || words.get(0).isBlank()
                    ? new Invalid<>("names no program", "write " + expected())
                    : new Valid<>(List.copyOf(words));
        }

        /**
         * Warns where the program of {@code command} is not on this machine. A relative path with a slash counts from a directory
         * that may not exist yet, and Windows adds extensions to names: those are not looked for.
         */
        static void warnIfMissing(SectionReader entry, Setting<List<String>> command) {
            String program = entry.given(command).orElse(List.of("")).get(0);
            boolean path = program.contains("/");
            if (program.isEmpty() || File.separatorChar != '/' || (path && !program.startsWith("/"))) {
                return;
            }
            @Nullable String directories = entry.reading().variables().get("PATH");
            if (path && !isProgram(program)) {
                entry.warn(
                        command,
                        "names the program " + program
                                + ", which is not there or may not be run; write the path of a program");
            } else if (!path
                    && directories != null
                    && Stream.of(directories.split(File.pathSeparator, -1))
                            .noneMatch(directory -> isProgram(directory + "/" + program))) {
                entry.warn(
                        command,
                        "names the program " + program
                                + ", which is in no directory of PATH; install it, or write its whole path");
            }
        }

        private static boolean isProgram(String file) {
            try {
                Path path = Path.of(file);
                return Files.isRegularFile(path) && Files.isExecutable(path);
            } catch (InvalidPathException impossible) {
                return false;
            }
        }
    }

    /** The type of an allow-list of models: a list of ids, or a map from alias to id. */
    record ModelList() implements ValueType<AgentSettings.Models> {

        private static final ValueType<String> ID = new ScalarTypes.Text("a model id <provider>/<model>", MODEL_ID);

        @Override
        public String expected() {
            return "a list of model ids <provider>/<model>, or a map from alias to model id";
        }

        @Override
        public Parsed<AgentSettings.Models> parse(ConfigurationNode node, SecretReferences references) {
            Optional<Fields> fields = fields(node);
            if (fields.isEmpty()) {
                Parsed<List<String>> ids = new TextList(ID).parse(node, references);
                if (ids instanceof Valid<List<String>> valid) {
                    return new Valid<>(new AgentSettings.Models(valid.value(), Map.of()));
                }
                return items(node).isPresent() ? ((Invalid<?>) ids).as() : mismatch(node);
            }
            Map<String, String> aliases = new LinkedHashMap<>();
            for (Map.Entry<String, ConfigurationNode.Field> entry :
                    fields.get().byName().entrySet()) {
                Parsed<String> id = ID.parse(entry.getValue().value(), references);
                if (id instanceof Invalid<String> invalid) {
                    return new Invalid<>(
                            "has an alias [" + entry.getKey() + "] that " + invalid.wrong(), invalid.instead());
                }
                aliases.put(entry.getKey().strip(), ((Valid<String>) id).value());
            }
            return new Valid<>(new AgentSettings.Models(List.copyOf(new LinkedHashSet<>(aliases.values())), aliases));
        }
    }

    /** The type of a map from some of {@code names} to a choice. */
    record ChoiceMap(List<String> names, ScalarTypes.Choice choice) implements ValueType<Map<String, String>> {

        @Override
        public String expected() {
            return "a map from " + String.join(", ", names) + " to " + choice.expected();
        }

        @Override
        public Parsed<Map<String, String>> parse(ConfigurationNode node, SecretReferences references) {
            Optional<Fields> fields = fields(node);
            if (fields.isEmpty()) {
                return mismatch(node);
            }
            Map<String, String> choices = new LinkedHashMap<>();
            for (Map.Entry<String, ConfigurationNode.Field> entry :
                    fields.get().byName().entrySet()) {
                String name = entry.getKey();
                if (!names.contains(name)) {
                    return new Invalid<>(
                            "has an entry [" + name + "]", "name one of " + String.join(", ", names) + " there");
                }
                Parsed<String> value = choice.parse(entry.getValue().value(), references);
                if (value instanceof Invalid<String> invalid) {
                    return new Invalid<>("has an entry [" + name + "] that " + invalid.wrong(), invalid.instead());
                }
                choices.put(name, ((Valid<String>) value).value());
            }
            return new Valid<>(choices);
        }
    }

    /** The type of a setting that Postern ignores. Any value is accepted; none is shown, since it may be a secret. */
    record Anything() implements ValueType<Boolean> {

        @Override
        public String expected() {
            return "anything";
        }

        @Override
        public String shown(ConfigurationNode node) {
            return EffectiveSettingsReport.WITHHELD;
        }

        @Override
        public Parsed<Boolean> parse(ConfigurationNode node, SecretReferences references) {
            return new Valid<>(true);
        }
    }
}
