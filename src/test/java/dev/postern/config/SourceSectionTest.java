package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.config.MappingSettings.TextField;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of replies that go to where the event happened. */
class SourceSectionTest {

    private static final String CHANNEL = "channels: {github: {token: t, account: My-Bot}}\n";
    private static final String SOURCE = "source: {channel: github, to: 'a/b#${payload.n}', author: '${payload.by}'}";

    @TempDir
    Path home;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "replyTo: source|replyTo [|is source, but the mapping has no source",
                "replyTo: sender, SOURCE|replyTo [|is [sender]",
                "replyTo: source, SOURCE, channel: slack|channel [|stands beside replyTo",
                "replyTo: source, SOURCE, to: x|to [|stands beside replyTo",
                "replyTo: source, SOURCE, deliver: false|deliver [|is false beside replyTo",
                "replyTo: source, source: {channel: github, to: x}|source.author [|is missing",
                "replyTo: source, source: {channel: gitlab, to: x, author: y}|replyTo [|which needs the channel gitlab",
            })
    void mappingWithoutSourceOrWithContradictionIsRefused(String fields, String setting, String text) {
        String row = "{template: x, " + fields.replace("SOURCE", SOURCE) + "}";

        assertThat(yaml(CHANNEL, "mappings: [" + row + "]").problemLines()).anySatisfy(line -> assertThat(line)
                .startsWith("hooks.mappings[0]." + setting)
                .contains(text));
    }

    @Test
    void wakeHasNoReply() {
        assertThat(yaml(CHANNEL, "mappings: [{action: wake, template: x, replyTo: source, " + SOURCE + "}]")
                        .problemLines())
                .singleElement()
                .asString()
                .contains("replyTo [", "stands with action wake, which has no reply");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "|needs the channel github, and it is not configured; add channels.github with its credentials",
                "channels: {github: {token: t}}|needs channels.github.account",
                "channels: {one: {kind: github, token: t, account: x}, two: {kind: github, token: t, account: x}}"
                        + "|several channels are of kind github",
            })
    void presetWithoutUsableChannelIsRefusedOnce(String channels, String text) {
        assertThat(yaml(channels == null ? "" : channels + "\n", "presets: [github]\n  presetReplyTo: {github: source}")
                        .problemLines())
                .singleElement()
                .asString()
                .startsWith("hooks.presetReplyTo [" + home + "/postern.yaml:")
                .contains(text);
    }

    @Test
    void channelThatKnowsNoAccountOfItsOwnIsRefused() {
        assertThat(yaml(
                                "channels: {chat: {kind: slack, botToken: t}}\n",
                                "mappings: [{template: x, replyTo: source, " + SOURCE.replace("github", "chat") + "}]")
                        .problemLines())
                .singleElement()
                .asString()
                .contains("replyTo [", "a channel of kind slack doesn't know its own account");
    }

    @Test
    void channelWithoutCredentialsIsRefused() {
        assertThat(yaml(
                                "channels: {github: {account: my-bot}}\n",
                                "presets: [github]\n  presetReplyTo: {github: source}")
                        .problemLines())
                .singleElement()
                .asString()
                .startsWith("channels.github.token [")
                .contains("is missing, and so is the app");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{gitlab: source}|has an entry [gitlab], which is not among hooks.presets",
                "{slack: source}|has an entry [slack]",
                "{github: sender}|has an entry [github] that is [sender]",
            })
    void presetsWithoutSourcesAreRefused(String value, String text) {
        assertThat(yaml(CHANNEL, "presets: [github]\n  presetReplyTo: " + value).problemLines())
                .singleElement()
                .asString()
                .startsWith("hooks.presetReplyTo [")
                .contains(text);
    }

    @Test
    void replyTakesChannelAndRecipientFromSource() {
        MappingSettings mapping = mappings(CHANNEL, "mappings: [{template: x, replyTo: source, " + SOURCE + "}]")
                .get(0);

        assertThat(template(mapping, TextField.CHANNEL)).isEqualTo("github");
        assertThat(template(mapping, TextField.TO)).isEqualTo("a/b#${payload.n}");
        assertThat(template(mapping, TextField.SOURCE_AUTHOR)).isEqualTo("${payload.by}");
        assertThat(mapping.turn().deliver()).isTrue();
        assertThat(mapping.replyToSource().ownAccount()).isEqualTo("My-Bot");
    }

    @Test
    void sourceAloneChangesNoRecipient() {
        MappingSettings mapping =
                mappings(CHANNEL, "mappings: [{template: x, " + SOURCE + "}]").get(0);

        assertThat(mapping.texts()).containsOnlyKeys(TextField.MESSAGE);
        assertThat(mapping.replyToSource().ownAccount()).isNull();
    }

    @Test
    void onlyChannelOfKindIsTakenWhateverItsId() {
        MappingSettings mapping = mappings(
                        "channels: {forge: {kind: github, token: t, account: my-bot}}\n",
                        "mappings: [{template: x, replyTo: source, " + SOURCE + "}]")
                .get(0);

        assertThat(template(mapping, TextField.CHANNEL)).isEqualTo("forge");
    }

    @ParameterizedTest
    @ValueSource(strings = {"github", "gitlab", "jira", "linear", "pagerduty", "sentry"})
    void everyPresetOfCommentsRepliesToItsSource(String preset) {
        String credentials =
                switch (preset) {
                    case "jira" -> "email: a@example.com, token: t, baseUrl: 'https://jira.example'";
                    case "pagerduty" -> "apiKey: k, from: a@example.com";
                    case "linear" -> "apiKey: k";
                    default -> "token: t";
                };
        List<MappingSettings> mappings = mappings(
                "channels: {" + preset + ": {account: me, " + credentials + "}}\n",
                "presets: [%1$s]\n  presetReplyTo: {%1$s: source}".formatted(preset));

        assertThat(mappings)
                .filteredOn(mapping -> mapping.replyToSource().ownAccount() != null)
                .isNotEmpty()
                .allSatisfy(mapping -> {
                    assertThat(mapping.action()).isEqualTo(MappingSettings.Action.AGENT);
                    assertThat(template(mapping, TextField.CHANNEL)).isEqualTo(preset);
                });
        assertThat(mappings)
                .filteredOn(mapping -> mapping.texts().containsKey(TextField.SOURCE_MARK))
                .isNotEmpty()
                .allSatisfy(mapping ->
                        assertThat(mapping.replyToSource().ownAccount()).isEqualTo("me"));
    }

    @Test
    void presetGmailRepliesToAnswerableMailsOrToNobody() {
        List<MappingSettings> mappings = mappings(
                "channels: {mail: {host: x.example, account: ann, from: a@x.example, password: p, allow: ['@x.example']}}\n",
                "presets: [gmail]\n  presetReplyTo: {gmail: source}");

        assertThat(mappings)
                .filteredOn(mapping -> mapping.replyToSource().ownAccount() != null)
                .singleElement()
                .satisfies(mapping -> {
                    assertThat(mapping.replyToSource().ownAccount()).isEqualTo("a@x.example");
                    assertThat(mapping.replyToSource().required()).isTrue();
                    assertThat(template(mapping, TextField.CHANNEL)).isEqualTo("mail");
                    assertThat(mapping.texts()).containsKey(TextField.SOURCE_MARK);
                });
    }

    private static String template(MappingSettings mapping, TextField field) {
        return mapping.texts().get(field).template();
    }

    private List<MappingSettings> mappings(String root, String hooks) {
        return yaml(root, hooks).settings().hooks().mappings();
    }

    private ConfigurationFixture yaml(String root, String hooks) {
        return ConfigurationFixture.yaml(home, root + ConfigurationFixture.SERVING + "  " + hooks);
    }
}
