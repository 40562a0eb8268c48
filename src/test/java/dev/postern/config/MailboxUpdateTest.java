package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.model.Secret;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the files that {@code mail setup} writes into a home. */
class MailboxUpdateTest {

    private static final String MAIL =
            """
            # Written by "java -jar postern.war mail setup", which replaces it. Delete it to switch the watch off.
            hooks:
              gmail:
                account: "ada@example.com"
                password: "${file:secrets/mail-password}"
            """;

    @TempDir
    Path home;

    private final Map<String, String> settings = new LinkedHashMap<>(Map.of("account", "ada@example.com"));
    private final Map<String, Secret> secrets = new LinkedHashMap<>(Map.of("password", new Secret("s3cret")));
    private final Map<String, String> answers = new LinkedHashMap<>();

    @Test
    void refusesAHomeWhoseRestoreWasInterrupted() throws IOException {
        ConfigurationFixture fixture =
                ConfigurationFixture.yaml(home, ConfigurationFixture.SERVING).file(".restore/plan.json", "{}");

        assertThat(refusals(fixture))
                .containsExactly(fixture.problems().get(0).toString())
                .singleElement()
                .asString()
                .contains("a restore was interrupted");
    }

    @Test
    void refusesWhatCanNotWorkByTheOptionsName() throws IOException {
        settings.put("since", "yesterday");
        settings.put("maxBytes", "many");

        assertThat(refusals(ConfigurationFixture.yaml(home, ConfigurationFixture.SERVING)))
                .anySatisfy(line -> assertThat(line).startsWith("hooks.gmail.since [--since]: is [yesterday]"))
                .anySatisfy(line -> assertThat(line).startsWith("hooks.gmail.maxBytes [--max-bytes]: is [many]"))
                .hasSize(2);
        assertThat(files()).containsExactly("postern.yaml");
    }

    @Test
    void refusesWhatNoFileCouldHold() throws IOException {
        settings.put("label", "Work\u0081");

        assertThat(refusals(ConfigurationFixture.yaml(home, ConfigurationFixture.SERVING)))
                .singleElement()
                .asString()
                .contains("no control characters");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'  pth: /x'|hooks.pth",
                "hooks: [|is no valid YAML here",
                "'  presets: gmail'|hooks.presets",
                "'  presets: [github, x]'|hooks.presets",
            })
    void changesNoConfigurationThatIsRefusedAsItStands(String more, String refusal) throws IOException {
        String before = ConfigurationFixture.SERVING + more + "\n";

        assertThat(refusals(ConfigurationFixture.yaml(home, before)))
                .anySatisfy(line -> assertThat(line).contains(refusal));
        assertThat(home.resolve("postern.yaml")).content().isEqualTo(before);
        assertThat(files()).containsExactly("postern.yaml");
    }

    @Test
    void namesTheLinesOfTheSectionThatStandsInTheMainFile() throws IOException {
        String before = ConfigurationFixture.SERVING
                + """
                  presets: [gmail]
                  gmail:
                    account: bob@example.com
                    oauth:
                      clientId: c
                      refreshToken: s3cret
                  path: /in
                """;

        assertThat(refusals(ConfigurationFixture.yaml(home, before)))
                .containsExactly("hooks.gmail [" + home + "/mail.yaml]: stands at " + home
                        + "/postern.yaml:5:3 (lines 5 to 9) too; remove it there, and give the command again");
        assertThat(home.resolve("postern.yaml")).content().isEqualTo(before);
        assertThat(files()).containsExactly("postern.yaml");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hooks: [|is no valid YAML here",
                "metrics: off|may hold hooks.gmail, hooks.presetReplyTo.gmail, channels.mail and nothing else",
                "[x]|is a list"
            })
    void replacesNoMailFileThatAStartRefuses(String text, String refusal) throws IOException {
        ConfigurationFixture configurationFixture =
                ConfigurationFixture.yaml(home, ConfigurationFixture.SERVING).file("mail.yaml", text);

        assertThat(refusals(configurationFixture)).singleElement().asString().contains(home + "/mail.yaml:1:", refusal);
        assertThat(home.resolve("mail.yaml")).hasContent(text);
    }

    @Test
    void changesNothingWhereTheSecretHasNoPlace() throws IOException {
        MailboxUpdate change = change(
                ConfigurationFixture.yaml(home, ConfigurationFixture.SERVING).file("secrets", "no directory"));

        assertThatThrownBy(change::write).isInstanceOf(IOException.class);
        assertThat(files()).containsExactlyInAnyOrder("postern.yaml", "secrets");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "postern.yaml|hooks: {enabled: true, token: %s, presets: [github], gmail: } # all",
                "postern.yaml|<<: &m {hooks: &c {enabled: true, token: %s}}",
                "postern.json|{\"hooks\": {\"enabled\": true, \"token\": \"%s\"}}",
                "postern.json5|{hooks: {enabled: true, /* x */ token: '%s',}}"
            })
    void leavesTheMainFileAsItIs(String name, String text) throws IOException {
        String before = text.formatted(ConfigurationFixture.TOKEN);
        ConfigurationFixture configurationFixture =
                ConfigurationFixture.home(home).file(name, before);

        MailboxUpdate change = change(configurationFixture);
        change.write();

        assertThat(home.resolve(name)).content().isEqualTo(before);
        assertThat(home.resolve("mail.yaml")).content().isEqualTo(MAIL);
        assertThat(home.resolve("secrets/mail-password")).hasContent("s3cret");
        assertThat(files()).containsExactlyInAnyOrder(name, "mail.yaml", "secrets");
        assertThat(permissions("mail.yaml", "secrets/mail-password")).containsOnly("rw-------");
        assertThat(configurationFixture.settings().hooks().watchedMailbox()).isEqualTo(change.mailbox());
    }

    @Test
    void worksBesideTheSample() throws IOException {
        ConfigurationFixture configurationFixture =
                ConfigurationFixture.yaml(home, Files.readString(Path.of("webapp-config/postern.yaml")));

        change(configurationFixture).write();

        assertThat(configurationFixture.settings().hooks().mailbox()).isNotNull();
    }

    @Test
    void replacesWhatItWroteAndNamesWhatIsGone() throws IOException {
        ConfigurationFixture configurationFixture = ConfigurationFixture.yaml(home, ConfigurationFixture.SERVING)
                .file(
                        "mail.yaml",
                        """
                        hooks:
                          gmail:
                            account: bob@example.com
                            host: imap.example.com
                            oauth: {clientId: c, refreshToken: x}
                            allowUnsafeExternalContent: true
                            label: Work
                        """);
        settings.put("port", "1993");
        settings.put("includeBody", "false");

        MailboxUpdate change = change(configurationFixture);
        change.write();

        assertThat(home.resolve("mail.yaml"))
                .content()
                .isEqualTo(MAIL.replace("    password", "    port: 1993\n    password") + "    includeBody: false\n");
        assertThat(change.dropped()).containsExactly("host", "allowUnsafeExternalContent", "label");
        assertThat(configurationFixture.settings().hooks().watchedMailbox()).isEqualTo(change.mailbox());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Ünread/2 # not a comment", "\"Work\" \\ 😀", "'", "- x: y", "${file:x}", "off", "08:00", "2026"
            })
    void writesTextsAsTheyAre(String label) throws IOException {
        settings.put("label", label);
        ConfigurationFixture configurationFixture = ConfigurationFixture.yaml(home, ConfigurationFixture.SERVING);

        change(configurationFixture).write();

        assertThat(configurationFixture.settings().hooks().watchedMailbox().label())
                .isEqualTo(label);
    }

    @Test
    void refusesAnswersThatCanNotWorkByTheOptionsName() throws IOException {
        answers.putAll(answering("ann@example.com,*"));
        answers.put("port", "many");
        answers.put("security", "ssl");

        assertThat(refusals(ConfigurationFixture.yaml(home, ConfigurationFixture.SERVING)))
                .anySatisfy(line ->
                        assertThat(line).startsWith("channels.mail.allow [--answer-to]: has an entry that is [*]"))
                .anySatisfy(line -> assertThat(line).startsWith("channels.mail.port [--smtp-port]: is [many]"))
                .anySatisfy(line -> assertThat(line).startsWith("channels.mail.security [--smtp-security]: is [ssl]"))
                .hasSize(3);
        assertThat(files()).containsExactly("postern.yaml");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'  presetReplyTo: {gmail: source}'|hooks.presetReplyTo.gmail|4:19",
                "'channels: {mail: {host: a.example.com, account: a@b.c, password: s3cret, allow: [a@b.c]}}'|channels.mail|4:12"
            })
    void namesTheLineOfAnAnswersSettingThatStandsInTheMainFile(String more, String setting, String place)
            throws IOException {
        answers.putAll(answering("@example.com"));
        String before = ConfigurationFixture.SERVING + more + "\n";

        assertThat(refusals(ConfigurationFixture.yaml(home, before)))
                .containsExactly(setting + " [" + home + "/mail.yaml]: stands at " + home + "/postern.yaml:" + place
                        + " too; remove it there, and give the command again");
        assertThat(home.resolve("postern.yaml")).content().isEqualTo(before);
        assertThat(files()).containsExactly("postern.yaml");
    }

    @Test
    void writesWhoGetsAnswersBesideOtherChannelsAndSources() throws IOException {
        answers.putAll(answering("ann@example.org, @example.com"));
        ConfigurationFixture configurationFixture = ConfigurationFixture.yaml(
                home,
                ConfigurationFixture.SERVING
                        + """
                          presets: [github]
                          presetReplyTo: {github: source}
                        channels:
                          github: {token: s3cret-1, account: "42"}
                        """);

        change(configurationFixture).write();

        assertThat(home.resolve("mail.yaml"))
                .content()
                .isEqualTo(
                        MAIL
                                + """
                                  presetReplyTo:
                                    gmail: source
                                channels:
                                  mail:
                                    host: "smtp.example.com"
                                    account: "ada@example.com"
                                    allow: ["ann@example.org", "@example.com"]
                                """);
        assertThat(permissions("mail.yaml")).containsOnly("rw-------");
        Settings written = configurationFixture.settings();
        assertThat(written.channels()).containsOnlyKeys("github", "mail");
        assertThat(written.hooks().mappings())
                .filteredOn(
                        mapping -> mapping.id().equals("gmail") || mapping.id().equals("github-issues"))
                .allSatisfy(mapping ->
                        assertThat(mapping.replyToSource().ownAccount()).isNotNull())
                .hasSize(2);
    }

    @Test
    void switchesAnswersOffWhereNobodyIsNamedAndSaysSo() throws IOException {
        answers.putAll(answering("@example.com"));
        ConfigurationFixture configurationFixture = ConfigurationFixture.yaml(home, ConfigurationFixture.SERVING);
        change(configurationFixture).write();
        assertThat(change(configurationFixture).dropped()).isEmpty();
        answers.clear();

        MailboxUpdate change = change(configurationFixture);
        change.write();

        assertThat(change.dropped()).containsExactly("hooks.presetReplyTo.gmail", "channels.mail");
        assertThat(home.resolve("mail.yaml")).content().isEqualTo(MAIL);
        assertThat(configurationFixture.settings().channels()).isEmpty();
    }

    @Test
    void switchesTheWatchOffWhereTheFileIsDeleted() throws IOException {
        ConfigurationFixture configurationFixture =
                ConfigurationFixture.yaml(home, ConfigurationFixture.SERVING + "  presets: [github]\n");
        Settings before = configurationFixture.settings();
        change(configurationFixture).write();
        assertThat(configurationFixture.settings()).isNotEqualTo(before);

        Files.delete(home.resolve("mail.yaml"));

        assertThat(configurationFixture.settings()).isEqualTo(before);
    }

    @Test
    void setsUpAHomeThatHoldsNothing() throws IOException {
        Path directory = home.resolve("new");
        ConfigurationFixture configurationFixture = ConfigurationFixture.home(directory);
        MailboxUpdate change = change(configurationFixture);
        assertThat(directory).doesNotExist();

        change.write();

        assertThat(configurationFixture.settings().hooks().watchedMailbox()).isEqualTo(change.mailbox());
        assertThat(configurationFixture.settings().hooks().tokens()).hasSize(1);
        assertThat(permissions("new/postern.yaml", "new/mail.yaml", "new/secrets/hook-token"))
                .containsOnly("rw-------");
        assertThat(directory.resolve("mail.yaml")).content().isEqualTo(MAIL);
    }

    @Test
    void writesThroughALink() throws IOException {
        ConfigurationFixture configurationFixture =
                ConfigurationFixture.yaml(home, ConfigurationFixture.SERVING).file("etc/real.yaml", "");
        Files.setPosixFilePermissions(home.resolve("etc/real.yaml"), PosixFilePermissions.fromString("rw-r--r--"));
        Files.createSymbolicLink(home.resolve("mail.yaml"), Path.of("etc/real.yaml"));

        change(configurationFixture).write();

        assertThat(home.resolve("mail.yaml")).isSymbolicLink();
        assertThat(home.resolve("etc/real.yaml")).content().isEqualTo(MAIL);
        assertThat(permissions("etc/real.yaml")).containsOnly("rw-------");
    }

    @Test
    void writesARefreshTokenLikeAPassword() throws IOException {
        settings.put("oauth.clientId", "c");
        secrets.clear();
        secrets.put("oauth.clientSecret", new Secret("s3cret-1"));
        secrets.put("oauth.refreshToken", new Secret("s3cret-2"));
        ConfigurationFixture configurationFixture = ConfigurationFixture.yaml(home, ConfigurationFixture.SERVING);

        change(configurationFixture).write();

        assertThat(home.resolve("mail.yaml"))
                .content()
                .endsWith(
                        """
                            account: "ada@example.com"
                            oauth:
                              clientId: "c"
                              clientSecret: "${file:secrets/mail-client-secret}"
                              refreshToken: "${file:secrets/mail-refresh-token}"
                        """);
        assertThat(configurationFixture
                        .settings()
                        .hooks()
                        .watchedMailbox()
                        .server()
                        .login())
                .isEqualTo(new MailboxSettings.Oauth(
                        URI.create("https://oauth2.googleapis.com/token"),
                        "c",
                        new Secret("s3cret-1"),
                        new ReplaceableSecret(new Secret("s3cret-2"), home.resolve("secrets/mail-refresh-token"))));
    }

    private static Map<String, String> answering(String allow) {
        Map<String, String> channel = new LinkedHashMap<>();
        channel.put("host", "smtp.example.com");
        channel.put("account", "ada@example.com");
        channel.put("allow", allow);
        return channel;
    }

    private MailboxUpdate change(ConfigurationFixture configurationFixture) {
        return (MailboxUpdate) MailboxUpdatePlan.of(configurationFixture.environment(), settings, secrets, answers);
    }

    private List<String> refusals(ConfigurationFixture configurationFixture) {
        return ((MailboxUpdatePlan.RejectedPlan)
                        MailboxUpdatePlan.of(configurationFixture.environment(), settings, secrets, answers))
                .problems().stream().map(ConfigurationProblem::toString).toList();
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(home)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    private List<String> permissions(String... names) throws IOException {
        List<String> permissions = new ArrayList<>();
        for (String name : names) {
            permissions.add(PosixFilePermissions.toString(Files.getPosixFilePermissions(home.resolve(name))));
        }
        return permissions;
    }
}
