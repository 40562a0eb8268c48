package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.model.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code mail setup} writes into a home. */
class MailboxChangeTest {

    private static final String HEAD = "hooks:\n  enabled: true\n  token: " + Given.TOKEN + "\n";
    private static final String GMAIL =
            "  gmail:\n    account: ada@example.com\n    password: \"${file:secrets/mail-password}\"\n";

    @TempDir
    Path home;

    private final Map<String, String> settings = new LinkedHashMap<>(Map.of("account", "ada@example.com"));
    private final Map<String, Secret> secrets = new LinkedHashMap<>(Map.of("password", new Secret("s3cret")));

    @Test
    void whatCanNotWorkIsRefusedByTheOptionsName() throws IOException {
        settings.put("since", "yesterday");
        settings.put("maxBytes", "many");
        Given given = Given.yaml(home, HEAD);

        assertThat(((MailboxPlan.Unfit) plan(given)).problems())
                .extracting(Problem::toString)
                .anySatisfy(line -> assertThat(line).startsWith("hooks.gmail.since [--since]: is [yesterday]"))
                .anySatisfy(line -> assertThat(line).startsWith("hooks.gmail.maxBytes [--max-bytes]: is [many]"))
                .hasSize(2);
        assertThat(home.resolve("secrets")).doesNotExist();
    }

    @Test
    void aConfigurationThatIsRefusedAsItStandsIsNotChanged() throws IOException {
        assertThat(((MailboxPlan.Unfit) plan(Given.yaml(home, HEAD + "  pth: /x\n"))).problems())
                .singleElement()
                .asString()
                .contains("hooks.pth");
        assertThat(((MailboxPlan.Unfit) plan(Given.yaml(home, "hooks: ["))).problems())
                .singleElement()
                .asString()
                .contains("is no valid YAML here");
    }

    @ParameterizedTest
    @ValueSource(strings = {"<<: &m\n  hooks: &c {path: /in}\nhooks: *c\n", "<<: {hooks: {path: /in}}\n"})
    void aFileThatOnlyAPersonCanChangeIsLeftAlone(String text) throws IOException {
        MailboxChange change = (MailboxChange) plan(Given.yaml(home, text));
        change.write();

        assertThat(change.obstacle()).contains("is written in a way that only a person can change");
        assertThat(change.section()).isEqualTo(("hooks:\n  presets: [gmail]\n" + GMAIL).strip());
        assertThat(home.resolve("postern.yaml")).hasContent(text);
    }

    @Test
    void anAliasAtTheEndIsNoHindrance() throws IOException {
        String before = HEAD + "  allowedAgentIds: &ids [main]\n  tokenHeaders: *ids\n";
        assertThat(written(Given.yaml(home, before))).isEqualTo(before + "  presets: [gmail]\n" + GMAIL);
    }

    @Test
    void json5IsLeftToAPersonAndTheSectionSaid() throws IOException {
        Given given = Given.home(home)
                .file("postern.json5", "{hooks: {enabled: true, /* x */ token: '" + Given.TOKEN + "',}}");
        String before = Files.readString(home.resolve("postern.json5"));

        MailboxChange change = (MailboxChange) plan(given);
        change.write();

        assertThat(change.obstacle()).contains("is written in a way that only a person can change");
        assertThat(change.section())
                .isEqualTo("{\"hooks\": {\"presets\": [\"gmail\"], \"gmail\": {\"account\": \"ada@example.com\","
                        + " \"password\": \"${file:secrets/mail-password}\"}}}");
        assertThat(home.resolve("postern.json5")).hasContent(before);
        assertThat(home.resolve("secrets/mail-password")).hasContent("s3cret");
    }

    @Test
    void nothingIsChangedWhereTheSecretHasNoPlace() throws IOException {
        Given given = Given.yaml(home, HEAD).file("secrets", "no directory");

        MailboxChange change = (MailboxChange) plan(given);

        assertThatThrownBy(change::write).isInstanceOf(IOException.class);
        assertThat(home.resolve("postern.yaml")).hasContent(HEAD);
        try (var files = Files.list(home)) {
            assertThat(files).hasSize(2);
        }
    }

    @Test
    void whatStandsThereStaysAsItIs() throws IOException {
        String before =
                """
                # Ours, 😀 and all.
                hooks:   # the gate
                  enabled: true
                  # rotate it in May
                  token:   %s

                  presets: [github,  gitlab] # both
                  path: "/in"   # not /hooks
                  # the end of hooks

                # Who acts.
                agents:
                  maxConcurrent:    3
                """
                        .formatted(Given.TOKEN);

        assertThat(written(Given.yaml(home, before)))
                .isEqualTo(before.replace("gitlab]", "gitlab, gmail]")
                        .replace("# not /hooks\n", "# not /hooks\n" + GMAIL));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "''|presets: [gmail]",
                "presets: []|presets: [gmail]",
                "presets:|presets: [gmail]",
                "presets: [gmail]|presets: [gmail]",
                "presets: [ github ]|presets: [ github, gmail ]",
                "presets: [github,]|presets: [github, gmail,]",
                "presets: ['github']|presets: ['github', gmail]",
                "presets:\\n  - github\\n  - gitlab # x|presets:\\n  - github\\n  - gitlab # x\\n  - gmail",
                "presets:\\n      - github|presets:\\n      - github\\n      - gmail",
                "presets:\\n    - gmail|presets:\\n    - gmail"
            })
    void thePresetIsEnabledInWhateverWayTheListIsWritten(String presets, String after) throws IOException {
        String line = presets.equals("''") ? "" : "  " + presets.replace("\\n", "\n") + "\n";
        assertThat(written(Given.yaml(home, HEAD + line)))
                .isEqualTo(HEAD + "  " + after.replace("\\n", "\n") + "\n" + GMAIL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gmail: {}", "gmail:", "gmail: { }", "gmail: ~"})
    void anEmptySectionIsFilled(String section) throws IOException {
        assertThat(written(Given.yaml(home, HEAD + "  presets: [gmail]\n  " + section + "\n  path: /in\n")))
                .isEqualTo(HEAD + "  presets: [gmail]\n" + GMAIL + "  path: /in\n");
    }

    @Test
    void aSecondTimeReplacesWhatHasAnOptionAndKeepsTheRest() throws IOException {
        String before = HEAD
                + """
                  presets: [gmail]
                  gmail:
                    account: bob@example.com   # the old one
                    host: imap.example.com
                    topic: projects/x
                    oauth:
                      # from the console
                      clientId: c
                      refreshToken: ${env:TOKEN}
                    allowUnsafeExternalContent: false
                    label: Work
                  path: /in
                """;
        settings.put("port", "1993");
        settings.put("label", "Ünread/2 # not a comment");
        MailboxChange change = (MailboxChange) plan(Given.yaml(home, before));
        change.write();

        assertThat(Files.readString(home.resolve("postern.yaml")))
                .isEqualTo(
                        HEAD
                                + """
                          presets: [gmail]
                          gmail:
                            account: ada@example.com   # the old one
                            topic: projects/x
                            allowUnsafeExternalContent: false
                            label: "Ünread/2 # not a comment"
                            port: 1993
                            password: "${file:secrets/mail-password}"
                          path: /in
                        """);
        assertThat(change.dropped()).containsExactly("host");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "# nothing yet", "# nothing yet\n", "metrics: local", "hooks:\n", "hooks: # later\n"})
    void aFileWithoutHooksGetsThem(String before) throws IOException {
        Given given = Given.yaml(home, before);
        String after = written(given);
        assertThat(after).startsWith(before.stripTrailing()).contains("  presets: [gmail]\n" + GMAIL.stripTrailing());
        assertThat(given.settings().hooks().mailbox()).isNotNull();
    }

    @Test
    void aLongTextAtTheEndIsNotTornApart() throws IOException {
        String before = HEAD
                + """
                  mappings:
                    - match: {path: a}
                      messageTemplate: |
                        One.

                          Two.


                # The end.
                """;
        assertThat(written(Given.yaml(home, before)))
                .isEqualTo(before.replace("Two.\n", "Two.\n  presets: [gmail]\n" + GMAIL));
    }

    @Test
    void linesEndAsTheyDid() throws IOException {
        String before = (HEAD + "  presets:\n    - github\nmetrics: local").replace("\n", "\r\n");
        assertThat(written(Given.yaml(home, before)))
                .isEqualTo((HEAD + "  presets:\n    - github\n    - gmail\n" + GMAIL + "metrics: local")
                        .replace("\n", "\r\n"));
    }

    @Test
    void bracesStayBraces() throws IOException {
        assertThat(written(
                        Given.yaml(home, "hooks: {enabled: true, token: " + Given.TOKEN + "} # all\nmetrics: off\n")))
                .isEqualTo("hooks: {enabled: true, token: " + Given.TOKEN + ", presets: [gmail], gmail: {account:"
                        + " ada@example.com, password: \"${file:secrets/mail-password}\"}} # all\nmetrics: off\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"  ", "\t", ""})
    void jsonStaysJson(String indent) throws IOException {
        String before = "{\n~\"metrics\":\"local\",\n~\"hooks\": {\n~~\"enabled\":true,\n~~\"token\": \"" + Given.TOKEN
                + "\"\n~}\n}\n";
        Given given = Given.home(home).file("postern.json", before.replace("~", indent));
        MailboxChange change = (MailboxChange) plan(given);
        change.write();

        assertThat(change.obstacle()).isEmpty();
        String after = Files.readString(home.resolve("postern.json"));
        assertThat(after)
                .startsWith(before.replace("~", indent)
                        .substring(0, before.replace("~", indent).indexOf("\n" + indent + "}")))
                .contains(
                        "\"gmail\": {\"account\": \"ada@example.com\", \"password\": \"${file:secrets/mail-password}\"}");
        assertThat(given.settings().hooks().gmail()).isEqualTo(change.mailbox());

        settings.put("label", "\"Work\" \\ 😀");
        ((MailboxChange) plan(given)).write();
        assertThat(given.settings().hooks().mailbox().label()).isEqualTo("\"Work\" \\ 😀");
        settings.remove("label");
        ((MailboxChange) plan(given)).write();
        assertThat(Files.readString(home.resolve("postern.json"))).isEqualTo(after);
    }

    @Test
    void aHomeThatHoldsNothingIsSetUp() throws IOException {
        Given given = Given.home(home.resolve("new"))
                .variable("POSTERN_HOME", home.resolve("new").toString());
        MailboxChange change = (MailboxChange) plan(given);
        assertThat(change.isFresh()).isTrue();
        assertThat(home.resolve("new")).doesNotExist();

        change.write();

        assertThat(given.settings().hooks().gmail()).isEqualTo(change.mailbox());
        assertThat(given.settings().hooks().tokens()).hasSize(1);
        assertThat(permissions("new/postern.yaml", "new/secrets/mail-password", "new/secrets/hook-token"))
                .containsOnly("rw-------");
        assertThat(Files.readString(home.resolve("new/postern.yaml")))
                .contains("  path: /hooks\n  presets: [gmail]\n" + GMAIL + "\n# Agents answer");
    }

    @Test
    void theFileKeepsItsPermissionsAndIsFoundThroughALink() throws IOException {
        Given given = Given.home(home).file("etc/real.yaml", HEAD);
        Files.setPosixFilePermissions(home.resolve("etc/real.yaml"), PosixFilePermissions.fromString("rw-r-----"));
        Files.createSymbolicLink(home.resolve("postern.yaml"), Path.of("etc/real.yaml"));

        ((MailboxChange) plan(given)).write();

        assertThat(home.resolve("postern.yaml")).isSymbolicLink();
        assertThat(permissions("etc/real.yaml")).containsOnly("rw-r-----");
        assertThat(permissions("secrets/mail-password")).containsOnly("rw-------");
        assertThat(home.resolve("etc/real.yaml")).content().contains(GMAIL.strip());
    }

    @Test
    void aRefreshTokenIsWrittenLikeAPassword() throws IOException {
        settings.put("oauth.clientId", "c");
        secrets.clear();
        secrets.put("oauth.clientSecret", new Secret("s3cret-1"));
        secrets.put("oauth.refreshToken", new Secret("s3cret-2"));
        Given given = Given.yaml(home, HEAD + "  presets: [gmail]\n  gmail: {account: x@example.com, password: y}\n");

        assertThat(written(given)).doesNotContain("s3cret", "password: y");
        assertThat(given.settings().hooks().gmail().login())
                .isEqualTo(new MailWatch.Oauth(
                        java.net.URI.create("https://oauth2.googleapis.com/token"),
                        "c",
                        new Secret("s3cret-1"),
                        new StoredSecret(new Secret("s3cret-2"), home.resolve("secrets/mail-refresh-token"))));
    }

    @Test
    void theSampleCanBeChangedToo() throws IOException {
        String sample = Files.readString(Path.of("webapp-config/postern.yaml"));
        String after = written(Given.yaml(home, sample));
        assertThat(after.lines().filter(line -> !sample.lines().toList().contains(line)))
                .containsExactly(
                        "  presets: [gmail]",
                        "  gmail:",
                        "    account: ada@example.com",
                        "    password: \"${file:secrets/mail-password}\"");
    }

    private MailboxPlan plan(Given given) {
        return MailboxPlan.of(given.environment(), settings, secrets);
    }

    /** The file after the change. */
    private String written(Given given) throws IOException {
        MailboxChange change = (MailboxChange) plan(given);
        assertThat(change.obstacle()).isEmpty();
        change.write();
        return Files.readString(change.file());
    }

    private List<String> permissions(String... names) throws IOException {
        List<String> permissions = new java.util.ArrayList<>();
        for (String name : names) {
            permissions.add(PosixFilePermissions.toString(Files.getPosixFilePermissions(home.resolve(name))));
        }
        return permissions;
    }
}
