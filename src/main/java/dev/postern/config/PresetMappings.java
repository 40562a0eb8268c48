package dev.postern.config;

import dev.postern.config.ListTypes.TextList;
import dev.postern.config.ScalarTypes.Choice;
import dev.postern.config.SettingDeclaration.Group;
import dev.postern.config.SettingDeclaration.Setting;
import dev.postern.model.Secret;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The mappings that come with Postern, one file of the class path for each sender; {@code hooks.presets} selects them.
 */
final class PresetMappings {

    private PresetMappings() {}

    static final List<String> NAMES = List.of(
            "gmail",
            "github",
            "gitlab",
            "stripe",
            "slack",
            "alertmanager",
            "grafana",
            "sentry",
            "pagerduty",
            "jira",
            "linear",
            "cloudevents",
            "eventgrid",
            "sns");

    static final Setting<List<String>> PRESETS = Setting.optional(
            "presets",
            new TextList(new Choice(NAMES)),
            "Built-in mappings: " + String.join(" ", NAMES) + ". Each is at the path that is its name.");
    static final Setting<Map<String, List<Secret>>> SIGNING_SECRETS = Setting.optional(
            "signingSecrets",
            new SecretTypes.CredentialsMap(NAMES, VerifySection.MAX_SECRETS),
            "What the senders of presets sign with, by the preset's name. Without it they need the token.");

    private static final Group FILE = Group.of("", "A preset.", MappingFields.MAPPINGS);

    /**
     * The mappings of the preset called {@code name}, as they are written. Their problems are not reported to the
     * operator.
     */
    static List<SectionReader> rows(String name, ReadContext outer) {
        ConfigurationProblems problems = new ConfigurationProblems();
        ReadContext readContext = new ReadContext(
                outer.home(), outer.userHome(), outer.zone(), outer.variables(), outer.references(), problems);
        JsonConfigurationReader.Locator locator =
                (line, column) -> new ValueOrigin("preset " + name + ":" + line + ":" + column);
        Optional<ConfigurationNode> tree = new YamlConfigurationReader(locator, problems).read(text(name));
        return new SectionReader(readContext, "", FILE, tree.orElse(null)).rows(MappingFields.MAPPINGS);
    }

    /** Checks that all of {@code rows} could be read. */
    static void requireValid(String name, List<SectionReader> rows) {
        for (SectionReader row : rows) {
            if (!row.reading().problems().isEmpty()) {
                throw new IllegalStateException("the preset " + name + " is broken: "
                        + row.reading().problems().rejected());
            }
        }
    }

    private static String text(String name) {
        String file = "/presets/" + name + ".yaml";
        try (InputStream bytes = PresetMappings.class.getResourceAsStream(file)) {
            if (bytes == null) {
                throw new IllegalStateException("this build lacks " + file);
            }
            return new String(bytes.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failed) {
            throw new UncheckedIOException(file + " could not be read", failed);
        }
    }
}
