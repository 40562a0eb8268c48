package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.config.MailboxSettings.Afterwards;
import dev.postern.config.MailboxSettings.ImapServer;
import dev.postern.config.MailboxSettings.Security;
import dev.postern.config.MappingSettings.TextField;
import dev.postern.model.Secret;
import java.net.URI;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of {@code hooks.gmail}, the mailbox to watch. */
class GmailSectionTest {

    private static final String SERVING = ConfigurationFixture.SERVING + "  presets: [gmail]\n";
    private static final String ACCOUNT = "account: ada@example.com, ";

    @TempDir
    Path home;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "account: ada|account|write the mailbox's address",
                "account: 'Ada <ada@example.com>'|account|write the mailbox's address",
                "host: 'imaps://imap.example.com'|host|without a scheme and a port",
                "host: 'imap.example.com:993'|host|without a scheme and a port",
                "port: 0|port|a whole number from 1 to 65535",
                "security: ssl|security|tls",
                "maxBytes: 99|maxBytes|a whole number from 100 to 1000000",
                "since: yesterday|since|write a date such as 2026-11-01",
                "since: 2026-02-30|since|which no calendar has",
                "since: '2026-11-01T25:00:00Z'|since|which no calendar has",
                "afterwards: delete|afterwards|move to <folder>",
                "afterwards: move to|afterwards|move to <folder>",
                "afterwards: move to Inbox|afterwards|again and again",
                "'label: Mail/Ünread, afterwards: move to Mail/Ünread'|afterwards|again and again",
                "model: '{{payload.x}}'|model|holds a placeholder",
                "thinking: enormous|thinking|which is no level of any model here",
                "includeBody: maybe|includeBody|true or false",
                "lable: Work|lable|did you mean hooks.gmail.label?",
            })
    void whatCanNotWorkIsRefusedAtItsPlace(String settings, String setting, String text) {
        String account = settings.startsWith("account") ? "" : ACCOUNT;
        assertThat(gmail(account + settings).problemLines())
                .singleElement()
                .asString()
                .startsWith("hooks.gmail." + setting + " [" + home + "/postern.yaml:5:")
                .contains(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "password: s3cret, oauth: {clientId: c, refreshToken: s3cret}|hooks.gmail.oauth|stands beside password",
                "oauth: {refreshToken: s3cret}|hooks.gmail.oauth.clientId|is missing",
                "oauth: {clientId: c}|hooks.gmail.oauth.refreshToken|is missing",
                "oauth: {clientId: c, refreshToken: s3cret, tokenUrl: 'http://example.com'}"
                        + "|hooks.gmail.oauth.tokenUrl|write https://",
                "password: [s3cret]|hooks.gmail.password|is a list",
                "password: a-token-that-is-long-enough-01|hooks.token|is the same secret as hooks.gmail.password",
                "oauth: {clientId: c, refreshToken: a-token-that-is-long-enough-01}"
                        + "|hooks.token|is the same secret as hooks.gmail.oauth.refreshToken"
            })
    void aLoginThatCanNotWorkIsRefusedAndNotShown(String login, String setting, String text) {
        assertThat(gmail(ACCOUNT + login).problemLines())
                .singleElement()
                .asString()
                .startsWith(setting + " [")
                .contains(text)
                .doesNotContain("s3cret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"host: imap.example.com", "password: s3cret", "oauth: {clientId: c}", "label: Work"})
    void whatIsForAMailboxIsRefusedWithoutOne(String setting) {
        assertThat(gmail(setting).problemLines())
                .singleElement()
                .asString()
                .startsWith("hooks.gmail.account [")
                .contains("is missing, while there is " + setting.substring(0, setting.indexOf(':')));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  presets: [github]\n", "  mappings: [{match: {path: mail}, template: x}]\n"})
    void aMailboxWhoseMailsNoMappingTakesIsRefused(String mappings) {
        assertThat(ConfigurationFixture.yaml(
                                home, ConfigurationFixture.SERVING + mappings + "  gmail: {account: ada@example.com}")
                        .problemLines())
                .singleElement()
                .asString()
                .contains("hooks.gmail.account [", "whose mails no mapping takes; add gmail to hooks.presets");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{path: gmail}", "{path: /gmail/, source: gmail}", "{source: gmail}", "{}"})
    void aMappingOfOnesOwnTakesTheMailsToo(String match) {
        ConfigurationFixture configurationFixture = ConfigurationFixture.yaml(
                home,
                ConfigurationFixture.SERVING + "  mappings: [{match: " + match + ", template: x}]\n"
                        + "  gmail: {account: ada@example.com}");
        assertThat(configurationFixture.settings().hooks().watchedMailbox()).isNotNull();
    }

    @Test
    void anEmptySectionWatchesNothing() {
        assertThat(gmail("").settings().hooks().watchedMailbox()).isNull();
        assertThat(gmail("").warnings()).isEmpty();
        assertThat(ConfigurationFixture.yaml(home, SERVING + "  gmail:\n")
                        .settings()
                        .hooks()
                        .watchedMailbox())
                .isNull();
    }

    @Test
    void anAccountAloneIsGmailsInbox() {
        assertThat(gmail("account: ada@example.com").settings().hooks().watchedMailbox())
                .isEqualTo(new MailboxSettings(
                        "ada@example.com",
                        new ImapServer("imap.gmail.com", 993, Security.TLS, List.of(), "ada@example.com", null),
                        "INBOX",
                        true,
                        20_000,
                        null,
                        new Afterwards.Leave()));
    }

    @Test
    void everySettingOfTheMailboxIsRead() {
        ConfigurationFixture configurationFixture =
                gmail("account: ada@example.com, host: mail.example.com, security: starttls, username: ada,"
                        + " password: '${file:secrets/mail}', label: Work/Ünread, includeBody: false, maxBytes: 500,"
                        + " since: 2026-11-01, afterwards: move to Done");
        configurationFixture.file("secrets/mail", "abcd efgh ijkl mnop\n");
        assertThat(configurationFixture.settings().hooks().watchedMailbox())
                .isEqualTo(new MailboxSettings(
                        "ada@example.com",
                        new ImapServer(
                                "mail.example.com",
                                143,
                                Security.STARTTLS,
                                List.of(),
                                "ada",
                                new MailboxSettings.Password(new Secret("abcd efgh ijkl mnop"))),
                        "Work/Ünread",
                        false,
                        500,
                        Instant.parse("2026-10-31T23:00:00Z"),
                        new Afterwards.Move("Done")));
        assertThat(configurationFixture.warnings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "absent.pem | '' | does not exist",
                "a.pem | '# none yet' | holds no certificate in PEM (-----BEGIN CERTIFICATE-----)",
                "a.pem | '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----' | holds no certificate in PEM",
                "a.pem | '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' | number 1, that can't be read"
            })
    void aCaFileHasToHoldCertificates(String name, String content, String wrong) {
        ConfigurationFixture configurationFixture =
                gmail(ACCOUNT + "caFile: " + name).file("a.pem", content);
        assertThat(configurationFixture.problems())
                .singleElement()
                .asString()
                .contains(
                        "hooks.gmail.caFile [",
                        "names the file " + home.resolve(name) + ", which ",
                        wrong,
                        "write the path of a PEM file with certificates");
    }

    @Test
    void aCaFileMayHoldSeveralCertificatesAndWhatIsAroundThem() {
        List<X509Certificate> two = KnownAuthorities.first(2);
        String pem = "Our own - for a while\n" + KnownAuthorities.pem(two.get(0)) + "# and -- more\n"
                + KnownAuthorities.pem(two.get(1)) + "-- end";
        ConfigurationFixture configurationFixture =
                gmail(ACCOUNT + "caFile: secrets/ca.pem").file("secrets/ca.pem", pem);
        assertThat(configurationFixture
                        .settings()
                        .hooks()
                        .watchedMailbox()
                        .server()
                        .authorities())
                .isEqualTo(two);
        assertThat(configurationFixture.warnings()).isEmpty();
    }

    @Test
    void aRefreshTokenThatAFileHoldsAloneCanBeWrittenBack() {
        String oauth = ACCOUNT + "oauth: {clientId: c, refreshToken: '%s'}";
        ConfigurationFixture configurationFixture =
                gmail(oauth.formatted("${file:secrets/token}")).file("secrets/token", "r\n");
        assertThat(((MailboxSettings.Oauth) configurationFixture
                                .settings()
                                .hooks()
                                .watchedMailbox()
                                .server()
                                .login())
                        .refreshToken()
                        .file())
                .isEqualTo(home.resolve("secrets/token"));
        ConfigurationFixture within =
                gmail(oauth.formatted("a${file:secrets/token}")).file("secrets/token", "r\n");
        assertThat(((MailboxSettings.Oauth) within.settings()
                                .hooks()
                                .watchedMailbox()
                                .server()
                                .login())
                        .refreshToken())
                .isEqualTo(new ReplaceableSecret(new Secret("ar"), null));
    }

    @ParameterizedTest
    @CsvSource({"2026-11-01T08:00:00Z, 2026-11-01T08:00:00Z", "2026-11-01T08:00+01:00, 2026-11-01T07:00:00Z"})
    void aMomentMayBeGivenToTheSecond(String since, String instant) {
        assertThat(watched(ACCOUNT + "since: '" + since + "'").since()).isEqualTo(instant);
    }

    @Test
    void aRefreshTokenMayStandForThePassword() {
        assertThat(watched(ACCOUNT + "oauth: {clientId: c, clientSecret: s, refreshToken: r}")
                        .server()
                        .login())
                .isEqualTo(new MailboxSettings.Oauth(
                        URI.create("https://oauth2.googleapis.com/token"),
                        "c",
                        new Secret("s"),
                        new ReplaceableSecret(new Secret("r"), null)));
        assertThat(watched(ACCOUNT + "oauth: {clientId: c, refreshToken: r, tokenUrl: 'http://127.0.0.1:8080/t'}")
                        .server()
                        .login())
                .isEqualTo(new MailboxSettings.Oauth(
                        URI.create("http://127.0.0.1:8080/t"),
                        "c",
                        null,
                        new ReplaceableSecret(new Secret("r"), null)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "127.0.0.1", "'::1'"})
    void aConnectionThatAnybodyCanReadIsWarnedOfUnlessItStaysHere(String host) {
        assertThat(gmail(ACCOUNT + "security: none, host: " + host).warnings()).isEmpty();
        assertThat(gmail(ACCOUNT + "security: none, host: imap.example.com").warnings())
                .singleElement()
                .asString()
                .startsWith("hooks.gmail.security [")
                .contains("anyone on the way to imap.example.com can read the mails and the login");
    }

    @Test
    void nothingIsWatchedWhileHooksAreOff() {
        ConfigurationFixture configurationFixture =
                ConfigurationFixture.yaml(home, "hooks: {presets: [gmail], gmail: {account: ada@example.com}}");
        assertThat(configurationFixture.settings().hooks().watchedMailbox()).isNull();
        assertThat(configurationFixture.settings().hooks().mailbox()).isNotNull();
        assertThat(configurationFixture.warnings())
                .singleElement()
                .asString()
                .endsWith("is not watched while hooks.enabled is false");
    }

    @Test
    void settingsOfOtherProductsWatchersAreIgnoredWithWarning() {
        ConfigurationFixture configurationFixture =
                gmail("account: ada@example.com, topic: projects/x/topics/y, subscription: z, pushToken: s3cret,"
                        + " hookUrl: 'http://127.0.0.1:18789/hooks/gmail', renewEveryMinutes: 720,"
                        + " serve: {bind: 127.0.0.1, port: 8788, path: /}, tailscale: {mode: funnel, path: /gmail}");
        assertThat(configurationFixture.settings().hooks().watchedMailbox()).isNotNull();
        assertThat(configurationFixture.warnings()).hasSize(7).allSatisfy(warning -> assertThat(warning)
                .contains("does nothing")
                .doesNotContain("s3cret"));
    }

    @Test
    void thePresetsTurnsTakeModelAndThinkingFromTheSection() {
        ConfigurationFixture configurationFixture =
                gmail("model: offline/x, thinking: high, allowUnsafeExternalContent: true");
        assertThat(configurationFixture.settings().hooks().watchedMailbox()).isNull();
        assertThat(configurationFixture.settings().hooks().mappings())
                .hasSize(2)
                .allSatisfy(mapping -> {
                    assertThat(mapping.texts().get(TextField.MODEL).template()).isEqualTo("offline/x");
                    assertThat(mapping.texts().get(TextField.MODEL).where()).startsWith("hooks.gmail.model [" + home);
                    assertThat(mapping.texts().get(TextField.THINKING).template())
                            .isEqualTo("high");
                    assertThat(mapping.trusted()).isTrue();
                });
        assertThat(gmail("").settings().hooks().mappings())
                .noneMatch(mapping -> mapping.trusted() || mapping.texts().containsKey(TextField.MODEL));
    }

    @Test
    void aModelThatTheDefaultAgentMayNotUseIsRefused() {
        assertThat(ConfigurationFixture.yaml(
                                home,
                                SERVING + "  gmail: {model: offline/x}\n"
                                        + "agents: {defaults: {model: offline/echo, models: [offline/echo]}}")
                        .problemLines())
                .singleElement()
                .asString()
                .startsWith("hooks.gmail.model [" + home + "/postern.yaml:5:18]")
                .contains("which is not among the models of the agent main");
    }

    @Test
    void whatIsForThePresetsTurnsIsUsedForNothingWithoutThePreset() {
        assertThat(ConfigurationFixture.yaml(
                                home,
                                ConfigurationFixture.SERVING
                                        + "  gmail: {model: offline/x, thinking: low, maxBytes: 500}")
                        .warnings())
                .hasSize(2)
                .allMatch(warning -> warning.endsWith("is used for nothing: gmail is not among hooks.presets"));
    }

    @Test
    void singleSettingsMayComeFromOutside() {
        ConfigurationFixture configurationFixture = gmail("account: ada@example.com")
                .variable("POSTERN_HOOKS_GMAIL_PASSWORD", "abcd,efgh")
                .property("postern.hooks.gmail.label", "Work")
                .jndi("hooks/gmail/port", 1993);
        MailboxSettings watch =
                Objects.requireNonNull(configurationFixture.settings().hooks().watchedMailbox());
        assertThat(watch.server().login()).isEqualTo(new MailboxSettings.Password(new Secret("abcd,efgh")));
        assertThat(watch.label()).isEqualTo("Work");
        assertThat(watch.server().port()).isEqualTo(1993);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|''|262144",
                "presets: [gmail]|''|6819200",
                "presets: [gmail]|maxBytes: 100|849200",
                "presets: [gmail]|maxBytes: 1000000|33554432",
                "''|maxBytes: 20000|6819200",
                "maxBodyBytes: 100000000|maxBytes: 20000|100000000",
                "maxBodyBytes: 1000|maxBytes: 20000|6819200"
            })
    void aPushOfMailsMayBeLargerThanOtherRequests(String hooks, String gmail, int bytes) {
        HookSettings read = ConfigurationFixture.yaml(
                        home, ConfigurationFixture.SERVING + "  " + hooks + "\n  gmail: {" + gmail + "}")
                .settings()
                .hooks();
        assertThat(read.bodies().maxBytes("gmail")).isEqualTo(bytes);
        assertThat(read.bodies().maxBytes("gmail/x")).isEqualTo(read.bodies().maxBytes());
    }

    private MailboxSettings watched(String settings) {
        return Objects.requireNonNull(gmail(settings).settings().hooks().watchedMailbox());
    }

    private ConfigurationFixture gmail(String settings) {
        return ConfigurationFixture.yaml(home, SERVING + "  gmail: {" + settings + "}");
    }
}
