package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.config.ConfigurationResult.Configured;
import dev.postern.config.ConfigurationResult.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the file {@code mail.yaml}, which a start reads beside the main file. */
class MailFileTest {

    private static final String MAIL = "# ours\nhooks:\n  gmail:\n    account: ada@example.com\n    label: Work\n";

    @TempDir
    Path home;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "postern.yaml|hooks:\\n  gmail:\\n    password: s3cret\\n|postern.yaml:2:3 (lines 2 to 3)",
                "postern.yml|hooks: {gmail: {label: s3cret}}|postern.yml:1:9",
                "postern.json|{\"hooks\":\\n {\"gmail\":\\n {\"oauth\":\\n {\"clientId\": \"s3cret\"}}}}"
                        + "|postern.json:2:3 (lines 2 to 4)",
                "postern.json5|{hooks: {gmail: {}}}|postern.json5:1:10",
                "postern.yaml|x: &x\\n  label: s3cret\\nhooks:\\n  gmail: *x|postern.yaml:4:3"
            })
    void refusesTheSectionInBothFiles(String name, String text, String place) {
        ConfigurationFixture configurationFixture = ConfigurationFixture.home(home)
                .file(name, text.replace("\\n", "\n"))
                .file("mail.yaml", MAIL);

        assertThat(configurationFixture.problemLines())
                .contains("hooks.gmail [" + home + "/mail.yaml:3:3]: stands at " + home + "/" + place
                        + " too; remove it there, or delete " + home + "/mail.yaml")
                .noneMatch(line -> line.contains("s3cret"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "metrics: 's3cret'|metrics|1:1|may hold hooks.gmail, hooks.presetReplyTo.gmail, channels.mail and nothing else",
                "hoks: {gmail: {}}|hoks|1:1|may hold hooks.gmail, hooks.presetReplyTo.gmail, channels.mail and nothing else",
                "hooks: {gmail: {}, token: s3cret}|hooks.token|1:20|may hold hooks.gmail, hooks.presetReplyTo.gmail, channels.mail and nothing else",
                "hooks: {presets: [gmail]}|hooks.presets|1:9|may hold hooks.gmail, hooks.presetReplyTo.gmail, channels.mail and nothing else",
                "hooks: {gmail: {}, presetReplyTo: {github: s3cret}}|hooks.presetReplyTo.github|1:36|and nothing else",
                "channels: {mail: {}, webhook: {secret: s3cret}}|channels.webhook|1:22|and nothing else",
                "channels: {mail: {password: s3cret}}|channels.mail|1:12|stands in mail.yaml without hooks.gmail",
                "{hooks: {gmail: {}}, channels: {mail: {host: x}}}|channels.mail.account|1:39|is missing",
                "hooks: {presetReplyTo: s3cret}|hooks.presetReplyTo|1:24|is a text",
                "[s3cret]|configuration|1:1|is a list",
                "hooks: s3cret|hooks|1:8|is a text",
                "hooks: {gmail: s3cret}|hooks.gmail|1:16|is a text",
                "hooks: {gmail: {lable: s3cret}}|hooks.gmail.lable|1:17|did you mean hooks.gmail.label?",
                "hooks: {gmail: {label: s3cret}}|hooks.gmail.account|1:16|is missing",
                "hooks: {gmail: {}, gmail: {}}|hooks.gmail|1:20|is written twice",
                "hooks: {gmail: s3cret|configuration|1:22|is no valid YAML here",
                "hooks: &h {gmail: *h}|hooks.gmail|1:8|holds itself"
            })
    void refusesWhatMayNotStandThere(String text, String setting, String place, String wrong) {
        ConfigurationFixture configurationFixture =
                ConfigurationFixture.yaml(home, ConfigurationFixture.SERVING).file("mail.yaml", text);

        assertThat(configurationFixture.problemLines())
                .anySatisfy(line -> assertThat(line)
                        .startsWith(setting + " [" + home + "/mail.yaml:" + place)
                        .contains(wrong))
                .noneMatch(line -> line.contains("s3cret"));
    }

    @Test
    void refusesAFileThatCanNotBeRead() throws IOException {
        ConfigurationFixture configurationFixture = ConfigurationFixture.yaml(home, ConfigurationFixture.SERVING);
        Path file = home.resolve("mail.yaml");
        String refusal = "configuration [" + file + "]: ";

        Files.createDirectory(file);
        assertThat(configurationFixture.problemLines())
                .singleElement()
                .asString()
                .startsWith(refusal + "is no regular file");
        Files.delete(file);
        Files.createSymbolicLink(file, Path.of("nowhere.yaml"));
        assertThat(configurationFixture.problemLines())
                .singleElement()
                .asString()
                .startsWith(refusal + "is a link to no file");
        Files.delete(file);
        Files.write(file, new byte[] {(byte) 0xff});
        assertThat(configurationFixture.problemLines())
                .singleElement()
                .asString()
                .startsWith(refusal + "is not UTF-8 text");
    }

    @Test
    void saysTheProblemsOfBothFiles() {
        assertThat(ConfigurationFixture.yaml(home, "hooks: [")
                        .file("mail.yaml", "hooks: [")
                        .problemLines())
                .anyMatch(line -> line.startsWith("configuration [" + home + "/postern.yaml:"))
                .anyMatch(line -> line.startsWith("configuration [" + home + "/mail.yaml:"));
    }

    @Test
    void warnsOfASecretThatOthersCanRead() throws IOException {
        ConfigurationFixture configurationFixture =
                ConfigurationFixture.yaml(home, ConfigurationFixture.SERVING).file("mail.yaml", MAIL);
        Files.setPosixFilePermissions(home.resolve("mail.yaml"), PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(configurationFixture.warnings()).isEmpty();

        Files.writeString(home.resolve("mail.yaml"), MAIL + "    password: s3cret\n");
        assertThat(configurationFixture.warnings())
                .containsExactly("permissions [" + home + "/mail.yaml]: has the mode 644, with which other users can"
                        + " read it; run chmod 600 " + home + "/mail.yaml");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "# nothing\n", "hooks:\n", "hooks:\n  gmail:\n", "~\n"})
    void watchesNothingWhereNothingStandsThere(String text) {
        Configured configured = ConfigurationFixture.yaml(home, ConfigurationFixture.SERVING)
                .file("mail.yaml", text)
                .configured();
        assertThat(configured.settings().hooks().mailbox()).isNull();
        assertThat(configured.settings().hooks().mappings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "  gmail:\n", "  presets: []\n", "  presets: [gmail]\n", "  presets: [github, gmail]\n"})
    void bringsThePresetAlong(String more) {
        HookSettings hooks = ConfigurationFixture.yaml(home, ConfigurationFixture.SERVING + more)
                .file("mail.yaml", MAIL)
                .settings()
                .hooks();
        assertThat(hooks.mailbox().label()).isEqualTo("Work");
        assertThat(hooks.mappings())
                .filteredOn(each -> each.id().equals("gmail"))
                .hasSize(1);
    }

    @Test
    void standsBehindAMappingOfTheOperators() {
        ConfigurationFixture configurationFixture = ConfigurationFixture.yaml(
                        home,
                        ConfigurationFixture.SERVING
                                + "  mappings: [{match: {path: gmail}, action: wake, textTemplate: x}]\n")
                .file("mail.yaml", MAIL);
        assertThat(configurationFixture.settings().hooks().mappings())
                .extracting(MappingSettings::id)
                .startsWith("mappings[0]", "gmail");
    }

    @Test
    void namesItsLinesAsOrigins() {
        Configured configured = ConfigurationFixture.yaml(home, ConfigurationFixture.SERVING + "  presets: [github]\n")
                .file("mail.yaml", MAIL)
                .configured();
        assertThat(origin(configured, "hooks.gmail.label")).isEqualTo(home + "/mail.yaml:5:12");
        assertThat(origin(configured, "hooks.presets"))
                .isEqualTo(home + "/postern.yaml:4:12 and " + home + "/mail.yaml:3:3");
        assertThat(origin(configured, "hooks.enabled")).isEqualTo(home + "/postern.yaml:2:12");
        assertThat(configured.summary()).contains("file " + home + "/postern.yaml and " + home + "/mail.yaml,");
    }

    @Test
    void standsBelowWhatComesFromOutside() {
        ConfigurationFixture configurationFixture = ConfigurationFixture.yaml(home, ConfigurationFixture.SERVING)
                .file("mail.yaml", MAIL)
                .variable("POSTERN_HOOKS_GMAIL_LABEL", "A")
                .property("postern.hooks.gmail.host", "b.example.com")
                .jndi("hooks/gmail/port", 1993);
        MailboxSettings watch = configurationFixture.settings().hooks().mailbox();
        assertThat(watch.label()).isEqualTo("A");
        assertThat(watch.server().host()).isEqualTo("b.example.com");
        assertThat(watch.server().port()).isEqualTo(1993);
        assertThat(configurationFixture
                        .variable("POSTERN_HOOKS_PRESETS", "github")
                        .problemLines())
                .singleElement()
                .asString()
                .contains("whose mails no mapping takes");
    }

    @Test
    void isSeenAsAChangeOfTheNextStart() throws IOException {
        ConfigurationFixture configurationFixture = ConfigurationFixture.yaml(home, ConfigurationFixture.SERVING);
        Configured without = configurationFixture.configured();
        Configured running = configurationFixture.file("mail.yaml", MAIL).configured();
        assertThat(without.differences(running)).contains("hooks.gmail.account", "hooks.presets");
        Files.writeString(home.resolve("mail.yaml"), MAIL.replace("Work", "Done"));

        assertThat(running.differences((Configured) configurationFixture.check()))
                .containsExactly("hooks.gmail.label");
    }

    @Test
    void isNoDifferenceToTheSameInTheMainFile() throws IOException {
        ConfigurationFixture configurationFixture = ConfigurationFixture.yaml(
                home,
                ConfigurationFixture.SERVING
                        + "  presets: [gmail]\n  gmail: {account: ada@example.com, label: Work}\n");
        Configured before = configurationFixture.configured();
        Files.writeString(home.resolve("postern.yaml"), ConfigurationFixture.SERVING);

        assertThat(configurationFixture.file("mail.yaml", MAIL).configured().differences(before))
                .isEmpty();
    }

    @Test
    void isWatchedFromTheFirstStartOfAHomeThatHoldsNothingElse() {
        ConfigurationFixture configurationFixture =
                ConfigurationFixture.home(home).file("mail.yaml", MAIL).file("mail.yaml.1.new", "hooks: {gm");

        Configured checked = (Configured) configurationFixture.check();
        assertThat(checked.warnings())
                .extracting(ConfigurationWarning::toString)
                .containsExactly("home [environment variable POSTERN_HOME]: is [" + home
                        + "] and holds no postern.yaml yet; the first start will set it up");
        assertThat(home.resolve("postern.yaml")).doesNotExist();

        Configured configured = configurationFixture.configured();
        assertThat(configured.setUp()).isPresent();
        assertThat(configured.warnings()).isEmpty();
        assertThat(configured.settings().hooks().watchedMailbox().account()).isEqualTo("ada@example.com");
        assertThat(configured.settings().hooks().tokens()).hasSize(1);
        assertThat(configured.differences(checked)).containsExactly("hooks.token");
        assertThat(home.resolve("mail.yaml")).hasContent(MAIL);
    }

    @Test
    void isReadInAHomeThatLostItsMainFile() {
        ConfigurationFixture configurationFixture = ConfigurationFixture.home(home)
                .file("data/postern.db", "x")
                .file("mail.yaml", MAIL)
                .variable("POSTERN_HOOKS_ENABLED", "true")
                .variable("POSTERN_HOOKS_TOKEN", ConfigurationFixture.TOKEN);
        Configured configured = configurationFixture.configured();
        assertThat(configured.settings().hooks().watchedMailbox().label()).isEqualTo("Work");
        assertThat(configured.files()).containsExactly(home.resolve("mail.yaml"));
        assertThat(configured.warnings())
                .extracting(ConfigurationWarning::text)
                .containsExactly(
                        "is [" + home + "] and holds no postern.yaml, so that defaults apply beside mail.yaml");
        assertThat(home.resolve("postern.yaml")).doesNotExist();
    }

    private static String origin(Configured configured, String setting) {
        List<Value> values = configured.values().stream()
                .filter(value -> value.setting().equals(setting))
                .toList();
        assertThat(values).hasSize(1);
        return values.get(0).origin().where();
    }
}
