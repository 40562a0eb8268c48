package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.postern.config.ConfigurationNode.Fields;
import dev.postern.config.ConfigurationNode.Items;
import dev.postern.config.SettingDeclaration.Group;
import dev.postern.config.SettingDeclaration.Rows;
import dev.postern.config.SettingDeclaration.Setting;
import dev.postern.config.SettingDeclaration.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A test that {@code webapp-config/} and the declared settings agree. */
class SampleConfigurationTest {

    private static final Path SAMPLE = Path.of("webapp-config/postern.yaml");
    private static final Path SCHEMA = Path.of("webapp-config/postern.schema.json");

    @TempDir
    Path home;

    @Test
    void theSchemaSaysWhatIsDeclaredAndNothingElse() throws IOException {
        ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
        JsonNode declared = DeclaredSettingsSchema.schema();
        Path expected = Path.of("target/postern.schema.json");
        Files.createDirectories(expected.getParent());
        Files.writeString(expected, mapper.writeValueAsString(declared) + "\n");
        assertThat(mapper.readTree(SCHEMA.toFile()))
                .withFailMessage("%s differs from the declared settings; copy %s over it", SCHEMA, expected)
                .isEqualTo(declared);
    }

    @Test
    void theSampleLoadsWithoutAProblemOrAWarning() throws IOException {
        ConfigurationResult.Configured configured =
                ConfigurationFixture.yaml(home, Files.readString(SAMPLE)).configured();
        assertThat(configured.warnings()).isEmpty();
        Path empty = Files.createDirectory(home.resolve("empty"));
        assertThat(configured.settings())
                .usingRecursiveComparison()
                .ignoringFields("home", "agents.list.workspace", "hooks.transformsRoot")
                .isEqualTo(ConfigurationFixture.yaml(empty, "{}").settings());
    }

    @Test
    void theSampleWithEveryExampleTakenLoadsToo() throws IOException {
        ConfigurationResult.Configured configured = everything().configured();
        assertThat(configured.settings().channels()).hasSize(16);
        assertThat(configured.settings().providers()).hasSize(6);
        assertThat(configured.settings().hooks().mappings()).hasSizeGreaterThan(4);
        assertThat(configured.warnings())
                .extracting(ConfigurationWarning::setting)
                .containsOnly(
                        "hooks.token", // short
                        "hooks.gmail.account", // hooks are off
                        "hooks.mappings[6].verify.secrets", // short
                        "channels.webhook.secret", // short
                        "providers.command.command"); // not on this machine
    }

    @Test
    void theSampleIsValidBySchemaWithAndWithoutItsExamples() throws IOException {
        Schema schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7)
                .getSchema(Files.readString(SCHEMA), InputFormat.JSON);
        assertThat(schema.validate(Files.readString(SAMPLE), InputFormat.YAML)).isEmpty();
        assertThat(schema.validate(uncommented(), InputFormat.YAML)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hooks: {tokn: x}",
                "hooks: {maxBodyBytes: 0}",
                "hooks: {mappings: {id: x}}",
                "hooks: {mappings: [{id: x, actoin: wake}]}",
                "hooks: {mappings: [{template: x, action: run}]}",
                "hooks: {mappings: [{template: x, wakeMode: later}]}",
                "hooks: {mappings: [{template: x, match: {headers: {'x a': y}}}]}",
                "hooks: {mappings: [{template: x, match: {path: y}, verify: {secret: z, scheme: none}}]}",
                "hooks: {mappings: [{template: x, payloads: some}]}",
                "hooks: {presets: [githb]}",
                "hooks: {signingSecrets: {githb: x}}",
                "hooks: {gmail: {account: x}}",
                "requests: {payloads: some}",
                "requests: {payloadsFor: 72}",
                "requests: {payloadsMaxBytes: 512MB}",
                "requests: {payloadsMaxBytes: 1048575}",
                "requests: {payloadsMaxBytes: 1099511627777}",
                "server: {trustedProxies: [localhost]}",
                "console: everyone",
                "console: anyone",
                "channels: {slack: {bottoken: x}}",
                "channels: {slack: {kind: discord, botToken: x}}",
                "channels: {team: {kind: slack, accessToken: x}}",
                "channels: {team: {botToken: x}}",
                "providers: {fast: {kind: command, apiKey: x}}",
                "providers: {openai: {kind: command, apiKey: x}}",
                "providers: {offline: {kind: openai, apiKey: x}}",
                "agents: {list: [{id: 'a b'}]}"
            })
    void theSchemaRefusesWhatPosternRefuses(String text) throws IOException {
        Schema schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7)
                .getSchema(Files.readString(SCHEMA), InputFormat.JSON);
        assertThat(schema.validate(text, InputFormat.YAML)).isNotEmpty();
        assertThat(ConfigurationFixture.yaml(home, text).problems()).isNotEmpty();
    }

    @Test
    void aProvidersIdMayBeTheNameOfAnotherKindForBoth() throws IOException {
        String text = "providers: {gemini: {kind: openai, baseUrl: 'https://x.example', apiKey: x}}\n"
                + "agents: {defaults: {model: gemini/x}}";
        Schema schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7)
                .getSchema(Files.readString(SCHEMA), InputFormat.JSON);
        assertThat(schema.validate(text, InputFormat.YAML)).isEmpty();
        assertThat(ConfigurationFixture.yaml(home, text)
                        .settings()
                        .providers()
                        .get("gemini")
                        .kind())
                .isEqualTo("openai");
    }

    @Test
    void everyDeclaredSettingIsInTheSampleWithItsDefault() throws IOException {
        List<String> faults = new ArrayList<>();
        compare("", DeclaredSettings.ROOT, tree(uncommented()), faults);
        assertThat(faults).isEmpty();
    }

    @Test
    void whatTheSampleSetsAreTheDefaults() throws IOException {
        List<String> faults = new ArrayList<>();
        compareGiven("", DeclaredSettings.ROOT, tree(Files.readString(SAMPLE)), faults);
        assertThat(faults).isEmpty();
    }

    @Test
    void everySettingsLineOfTheSampleSaysWhatTheDeclarationSays() throws IOException {
        String sample = Files.readString(SAMPLE);
        List<Group> groups = List.of(
                HooksSection.HOOKS,
                HooksSection.THROTTLE,
                AgentsSection.DEFAULTS,
                MappingFields.MAPPINGS.row(),
                MatchSection.MATCH,
                TransformSection.TRANSFORM,
                VerifySection.VERIFY,
                GmailFields.GMAIL,
                GmailFields.OAUTH);
        for (Group group : groups) {
            for (Setting<?> setting : group.settings()) {
                if (!isForeign(setting)) {
                    String first = setting.description().split("[.;:]", 2)[0];
                    assertThat(sample).contains("# " + first);
                }
            }
        }
    }

    /** Whether a setting belongs to other products and is ignored; the sample has no line for each of them. */
    private static boolean isForeign(SettingDeclaration settingDeclaration) {
        return settingDeclaration instanceof Setting<?> setting && setting.type() instanceof ListTypes.Anything;
    }

    /** Checks that the sample has every member, and the default of each one that has a default. */
    private static void compare(String path, Group group, Fields fields, List<String> faults) {
        for (SettingDeclaration settingDeclaration : group.members()) {
            String full = SettingNames.join(path, settingDeclaration.name());
            if (!fields.byName().containsKey(settingDeclaration.name())) {
                if (!isForeign(settingDeclaration)) {
                    faults.add(full + " is missing");
                }
            } else if (settingDeclaration instanceof Setting<?> setting && setting.defaultText() != null) {
                compareDefault(full, setting, fields, faults);
            } else if (settingDeclaration instanceof Group inner
                    && fields.value(settingDeclaration.name()) instanceof Fields below) {
                compare(full, inner, below, faults);
            } else if (settingDeclaration instanceof Rows rows
                    && fields.value(settingDeclaration.name()) instanceof Items items) {
                compare(full + "[]", rows.row(), shown(items.nodes()), faults);
            } else if (settingDeclaration instanceof Table table
                    && fields.value(settingDeclaration.name()) instanceof Fields entries) {
                compareTable(full, table, entries, faults);
            }
        }
    }

    /** The members that the entries of a list show together; of a member in several entries, the first one. */
    private static Fields shown(List<ConfigurationNode> entries) {
        Map<String, List<ConfigurationNode>> byName = new LinkedHashMap<>();
        for (ConfigurationNode entry : entries) {
            ((Fields) entry).byName().forEach((name, field) -> byName.computeIfAbsent(name, unseen -> new ArrayList<>())
                    .add(field.value()));
        }
        Fields shown = Fields.empty(entries.get(0).origin());
        for (Map.Entry<String, List<ConfigurationNode>> values : byName.entrySet()) {
            boolean maps = values.getValue().stream().allMatch(Fields.class::isInstance);
            shown = shown.with(
                    values.getKey(),
                    maps ? shown(values.getValue()) : values.getValue().get(0));
        }
        return shown;
    }

    private static void compareTable(String path, Table table, Fields entries, List<String> faults) {
        if (table.hasKinds()) {
            table.kinds()
                    .forEach(kind ->
                            compare(path + "." + kind.name(), kind, (Fields) entries.value(kind.name()), faults));
            return;
        }
        List<String> shown = entries.byName().values().stream()
                .flatMap(entry -> ((Fields) entry.value()).byName().keySet().stream())
                .toList();
        table.kinds().get(0).members().stream()
                .filter(settingDeclaration -> !shown.contains(settingDeclaration.name()))
                .forEach(settingDeclaration -> faults.add(path + ".<id>." + settingDeclaration.name() + " is missing"));
    }

    private static void compareGiven(String path, Group group, Fields fields, List<String> faults) {
        for (SettingDeclaration settingDeclaration : group.members()) {
            ConfigurationNode value = fields.value(settingDeclaration.name());
            String full = SettingNames.join(path, settingDeclaration.name());
            if (settingDeclaration instanceof Group inner && value instanceof Fields below) {
                compareGiven(full, inner, below, faults);
            } else if (settingDeclaration instanceof Setting<?> setting && value != null) {
                if (setting.defaultText() != null) {
                    compareDefault(full, setting, fields, faults);
                } else {
                    faults.add(full + " has no default, but the sample sets it");
                }
            }
        }
    }

    private static void compareDefault(String path, Setting<?> setting, Fields fields, List<String> faults) {
        String shown =
                fields.value(setting.name()) instanceof ConfigurationNode.Scalar scalar ? scalar.text() : "no scalar";
        if (!shown.equals(String.valueOf(setting.defaultText()))) {
            faults.add(path + " shows " + shown + ", its default is " + setting.defaultText());
        }
    }

    private ConfigurationFixture everything() throws IOException {
        String oneLogin = uncommented().replace("    password: ${file:secrets/mail-password}\n", "");
        return ConfigurationFixture.yaml(home, oneLogin)
                .file("secrets/hook-token", "hook")
                .file("secrets/anthropic-key", "a")
                .file("secrets/monitoring-token", "a-token-of-the-monitoring-alone")
                .file("secrets/slack-token", "b")
                .file("secrets/teams-webhook", "https://flow.example/x")
                .file("secrets/crm-secret", "whsec_Yw==")
                .file("secrets/github-webhook", "signed")
                .file("secrets/github-app.pem", "-----BEGIN RSA PRIVATE KEY-----")
                .file("secrets/ci", "signed too")
                .file("secrets/tickets", "signed in time")
                .file("secrets/twilio", "an auth token")
                .file(
                        "secrets/mail-authority.pem",
                        KnownAuthorities.pem(KnownAuthorities.first(1).get(0)))
                .file("secrets/mail-client-secret", "o")
                .file("secrets/mail-refresh-token", "p")
                .file("hooks/transforms/shop/orders.ts", "export default () => null")
                .file("samples/order.json", "{}")
                .variable("SHOP_SECRET", "whsec_c2lnbmVk")
                .variable("OPENAI_API_KEY", "d")
                .variable("OLLAMA_API_KEY", "e")
                .variable("GEMINI_API_KEY", "f")
                .variable("WIKI_KEY", "g")
                .variable("WIKI_TOKEN", "g")
                .variable("SEARCH_KEY", "search-key-of-the-example")
                .variable("WHATSAPP_TOKEN", "h")
                .variable("TELEGRAM_TOKEN", "i")
                .variable("GITHUB_TOKEN", "i")
                .variable("GITLAB_TOKEN", "i")
                .variable("JIRA_TOKEN", "i")
                .variable("LINEAR_KEY", "i")
                .variable("PAGERDUTY_KEY", "i")
                .variable("SENTRY_TOKEN", "i")
                .variable("SMTP_PASSWORD", "i")
                .variable("DISCORD_TOKEN", "j")
                .variable("MATTERMOST_TOKEN", "k")
                .variable("BLUEBUBBLES_PASSWORD", "l")
                .variable("TEAMS_PASSWORD", "m")
                .variable("DATABASE_PASSWORD", "n");
    }

    private static Fields tree(String yaml) {
        ConfigurationProblems problems = new ConfigurationProblems();
        Optional<ConfigurationNode> node = new YamlConfigurationReader(
                        (line, column) -> new ValueOrigin(line + ":" + column), problems)
                .read(yaml);
        assertThat(problems.isEmpty()).isTrue();
        return (Fields) node.orElseThrow();
    }

    /** The sample with every example switched on: each # without a space after it is removed. */
    private static String uncommented() throws IOException {
        return Files.readAllLines(SAMPLE).stream()
                .map(line -> line.replaceFirst("^( *)#(?=[^ #])", "$1"))
                .collect(Collectors.joining("\n"));
    }
}
