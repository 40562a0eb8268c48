package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.config.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A test of the channels that the command {@code import} makes of channels with several accounts. */
class ImportedChannelsTest {

    @TempDir
    Path directory;

    private ImportFixture imported;

    @BeforeEach
    void nameHome() {
        imported = new ImportFixture(directory);
    }

    @Test
    void leavesTheIdentityOfATeamsBotToItself() throws IOException {
        assertThat(imported.run("{ channels: { msteams: { appId: 'a', appPassword: 'pw-a', tenantId: 't', accounts: {"
                        + " two: { appId: 'b', appPassword: 'pw-b' },\nnone: { name: 'n' } } } } }"))
                .isZero();

        assertThat(channels()).containsOnlyKeys("msteams", "msteams-two");
        assertThat(channels().get("msteams-two").options())
                .containsEntry("appId", "b")
                .containsEntry("tenantId", "t");
        assertThat(imported.out()).contains(":2: channels.msteams.accounts.none: not taken: it has no appPassword");
    }

    @Test
    void leavesTheTransportOfSignalToTheDefaultAccount() throws IOException {
        assertThat(imported.run("{ channels: { signal: { transport: { kind: 'container', url: 'http://signal:8080' },"
                        + " accounts: { default: { account: '+15550001' },\nwork: { account: '+15550002' } } } } }"))
                .isZero();

        assertThat(channels()).containsOnlyKeys("signal");
        assertThat(channels().get("signal").options()).containsEntry("baseUrl", "http://signal:8080");
        assertThat(imported.out()).contains(":2: channels.signal.accounts.work: not taken: it is signal-cli itself");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "telegram|apiRoot: 'https://a.example', accounts: { x: { botToken: '1:x' }, a: { botToken: '2:y' } }",
                "mattermost|baseUrl: 'https://a.example', accounts: { x: { botToken: 'x' }, a: { botToken: 'y' } }",
                "signal|apiMode: 'container', httpUrl: 'https://a.example', accounts: { x: { account: '+1555000' }, a: {} }",
                "bluebubbles|serverUrl: 'https://a.example', password: 'y', accounts: { x: { password: 'x' } }"
            })
    void givesAnAccountTheAddressOfItsChannel(String kind, String settings) throws IOException {
        assertThat(imported.run("{ channels: { " + kind + ": { " + settings + " } } }"))
                .isZero();

        assertThat(channels().get(kind + "-x").options()).containsEntry("baseUrl", "https://a.example");
    }

    @Test
    void prefersWhatAnAccountSaysItself() throws IOException {
        Path token = ImportFixture.write(directory.resolve("token"), "2:file\n");

        assertThat(imported.run("{ channels: { telegram: { botToken: '1:root', apiRoot: 'https://root.example',"
                        + " textChunkLimit: 3000, dmPolicy: 'pairing', accounts: {"
                        + " file: { tokenFile: '" + token + "', apiRoot: 'https://own.example', textChunkLimit: 2000 },"
                        + " same: { name: 'Same' } } } } }"))
                .isZero();

        assertThat(imported.home.resolve("postern.yaml"))
                .content()
                .containsSubsequence(
                        "telegram-file:",
                        "botToken: \"${file:" + token + "}\"",
                        "baseUrl: \"https://own.example\"",
                        "textLimit: 2000",
                        "telegram-same:",
                        "baseUrl: \"https://root.example\"",
                        "textLimit: 3000");
        assertThat(imported.home.resolve("secrets/openclaw-channels-telegram-same-botToken"))
                .hasContent("1:root\n");
        assertThat(imported.out()).containsOnlyOnce("dmPolicy: not taken").doesNotContain("apiRoot", "accounts.file");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "botToken: 'r', defaultAccount: 'Ops', accounts: { alerts: { botToken: 'a' }, ops: { botToken: 'o' } }"
                        + "|{telegram=o, telegram-alerts=a, telegram-default=r}",
                "botToken: 'r', accounts: { default: { botToken: 'd' }, ops: { botToken: 'o' } }"
                        + "|{telegram=d, telegram-ops=o}",
                "botToken: 'r', defaultAccount: 'ops', accounts: { default: {}, ops: { botToken: 'o' } }"
                        + "|{telegram=o, telegram-default=r}",
                "botToken: 'r', defaultAccount: 'none', accounts: { alerts: { botToken: 'a' } }"
                        + "|{telegram=r, telegram-alerts=a}",
                "botToken: 'r', defaultAccount: 'default', accounts: { alerts: { botToken: 'a' } }"
                        + "|{telegram=r, telegram-alerts=a}",
                "accounts: { Ops: { botToken: 'o' }, alerts: { botToken: 'a' } }|{telegram=a, telegram-Ops=o}",
                "defaultAccount: 'none', accounts: { ops: { botToken: 'o' } }|{telegram=o}",
                "defaultAccount: 'b', accounts: { a: { botToken: 'a' }, b: { enabled: false, botToken: 'b' } }"
                        + "|{telegram-a=a}",
            })
    void callsTheChannelOfTheDefaultAccountAsOpenClawDoes(String telegram, String tokens) throws IOException {
        assertThat(imported.run("{ channels: { telegram: { " + telegram + " } } }"))
                .isZero();

        Map<String, String> found = new TreeMap<>();
        channels()
                .forEach((id, channel) ->
                        found.put(id, channel.secrets().get("botToken").reveal()));
        assertThat(found).hasToString(tokens);
    }

    @Test
    void takesAVariableForTheAccountDefaultAlone() throws IOException {
        imported.variables.put("TELEGRAM_BOT_TOKEN", "e");

        assertThat(imported.run(
                        "{ channels: { telegram: { defaultAccount: 'ops', accounts: { default: {},\nops: {} } } } }"))
                .isZero();

        assertThat(channels()).containsOnlyKeys("telegram-default");
        assertThat(imported.out()).contains(":2: channels.telegram.accounts.ops: not taken: its token is not in this");
    }

    private Map<String, Settings.Channel> channels() {
        return new TreeMap<>(imported.configured().settings().channels());
    }
}
