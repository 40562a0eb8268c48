package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.config.SenderUpdate.Tokens;
import dev.postern.model.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A test of the file that {@code token new} writes into a home. */
class SenderUpdateTest {

    @TempDir
    Path home;

    @Test
    void refusesAHomeWhoseRestoreWasInterrupted() {
        ConfigurationFixture fixture =
                ConfigurationFixture.yaml(home, ConfigurationFixture.SERVING).file(".restore/plan.json", "{}");

        SenderUpdatePlan plan = SenderUpdatePlan.of(fixture.environment(), "ci", Map.of("hooks", "wake"));

        assertThat(plan).isEqualTo(new SenderUpdatePlan.InvalidSender(fixture.problems()));
        assertThat(fixture.problems()).singleElement().asString().contains("a restore was interrupted");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ci|hooks|a b|senders.ci.hooks [--hooks]: has an entry that is [a b]",
                "ci|agents|nobody|senders.ci.agents [--agents]: has [nobody], which is no agent",
                "ci|rate|fast|senders.ci.rate [--rate]: is [fast]",
                "ci|maxPending|-1|senders.ci.maxPending [--max-pending]: is [-1]",
                "c i|hooks|wake|senders.c i [token new]: is no id",
                "main|hooks|wake|senders.main [token new]: stands at"
            })
    void namesTheOptionThatCanNotWork(String id, String setting, String value, String problem) throws IOException {
        ConfigurationFixture fixture = ConfigurationFixture.yaml(
                home,
                ConfigurationFixture.SERVING
                        + "senders: {main: {token: a-token-of-the-main-file-01, hooks: [wake]}}\n");

        Map<String, String> settings = new HashMap<>(Map.of("hooks", "wake"));
        settings.put(setting, value);
        SenderUpdatePlan plan = SenderUpdatePlan.of(fixture.environment(), id, settings);

        assertThat(((SenderUpdatePlan.InvalidSender) plan).problems())
                .singleElement()
                .asString()
                .startsWith(problem);
        assertThat(home.resolve(SendersFile.NAME)).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({
        "expires, 2020-01-01, 'senders.ci.expires [token new]: has passed'",
        "disabled, true, 'senders.ci.disabled [token new]: is true'"
    })
    void makesNoTokenThatWouldNotWork(String setting, String value, String problem) throws IOException {
        SenderUpdatePlan plan =
                SenderUpdatePlan.of(serving().environment(), "ci", Map.of("hooks", "wake", setting, value));

        assertThat(((SenderUpdatePlan.InvalidSender) plan).problems())
                .singleElement()
                .asString()
                .startsWith(problem)
                .doesNotContain("--disabled"); // which is no option of the command
    }

    @Test
    void needsHooksForNewSender() {
        SenderUpdatePlan plan = SenderUpdatePlan.of(serving().environment(), "ci", Map.of());

        assertThat(plan).isEqualTo(new SenderUpdatePlan.MissingHooks());
    }

    @Test
    void reportsSenderThatStandsInBothFiles() throws IOException {
        create(serving(), "ci", Map.of("hooks", "wake"));

        assertThat(ConfigurationFixture.home(home)
                        .file("postern.yaml", ConfigurationFixture.SERVING + "senders: {ci: {hooks: [wake]}}\n")
                        .problemLines())
                .hasSize(2)
                .anySatisfy(line -> assertThat(line)
                        .startsWith(
                                "senders.ci [" + home + "/senders.yaml:3:3]: stands at " + home + "/postern.yaml:4:"));
    }

    @Test
    void takesNothingButSendersFromItsFile() {
        assertThat(serving().file(SendersFile.NAME, "hooks: {path: /x}\n").problemLines())
                .singleElement()
                .asString()
                .contains("stands in senders.yaml, which may hold senders and nothing else");
    }

    @Test
    void writesTheHashForItsOwnerAlone() throws IOException {
        SenderUpdate update = create(
                serving(),
                "ci",
                Map.of("hooks", "wake,github/*", "rate", "60/1m", "maxPending", "5", "sessionKeyPrefixes", "hook:ci:"));

        String token = update.token().reveal();
        assertThat(token).matches("pst_[0-9A-Za-z]{49}");
        assertThat(SenderToken.isDamaged(token)).isFalse();
        assertThat(Files.readString(update.file()))
                .isEqualTo(
                        """
                        # Written by "java -jar postern.war token new", which keeps all of it but comments. Each token itself was shown once.
                        senders:
                          "ci":
                            tokenSha256: ["%s"]
                            hooks: ["wake", "github/*"]
                            sessionKeyPrefixes: ["hook:ci:"]
                            rate: "60/1m"
                            maxPending: 5
                        """
                                .formatted(SenderToken.hash(update.token())));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(update.file())))
                .isEqualTo("rw-------");
        SenderSettings sender =
                ConfigurationFixture.home(home).settings().senders().get("ci");
        assertThat(sender.hooks()).containsExactly("wake", "github/*");
        assertThat(sender.tokenHashes()).containsExactly(SenderToken.hash(update.token()));
        assertThat(sender.rate()).isEqualTo(new SenderSettings.Rate(60, Duration.ofMinutes(1)));
    }

    @Test
    void keepsTheLatestTwoTokensAndTheSettings() throws IOException {
        SenderUpdate one = create(serving(), "ci", Map.of("hooks", "wake", "rate", "60/1m"));
        SenderUpdate two = create(ConfigurationFixture.home(home), "ci", Map.of());
        assertThat(hashes()).containsExactly(SenderToken.hash(one.token()), SenderToken.hash(two.token()));
        SenderUpdate three = create(ConfigurationFixture.home(home), "ci", Map.of("rate", "5/1s"));

        assertThat(List.of(one.tokens(), two.tokens(), three.tokens()))
                .containsExactly(Tokens.ONE, Tokens.TWO, Tokens.TWO_OF_THREE);
        assertThat(hashes()).containsExactly(SenderToken.hash(two.token()), SenderToken.hash(three.token()));
        SenderSettings sender =
                ConfigurationFixture.home(home).settings().senders().get("ci");
        assertThat(sender.hooks()).containsExactly("wake");
        assertThat(sender.rate()).hasToString("5/1s");
    }

    @Test
    void writesNumbersAndTextsAsTheyStand() throws IOException {
        serving()
                .file(
                        SendersFile.NAME,
                        "senders: {lab: {hooks: [wake], tokenSha256: ['" + "0".repeat(64)
                                + "'], maxPending: 1_000, sessionKeyPrefixes: ['7']}}\n");

        create(ConfigurationFixture.home(home), "ci", Map.of("hooks", "wake"));

        assertThat(home.resolve(SendersFile.NAME))
                .content()
                .contains(
                        "maxPending: 1_000\n",
                        "sessionKeyPrefixes: [\"7\"]\n",
                        "tokenSha256: [\"" + "0".repeat(64) + "\"]\n");
        assertThat(ConfigurationFixture.home(home).settings().senders()).containsOnlyKeys("lab", "ci");
    }

    @Test
    void keepsSenderThatWasWrittenAfterThePlan() throws IOException {
        SenderUpdate early = (SenderUpdate) SenderUpdatePlan.of(serving().environment(), "ci", Map.of("hooks", "wake"));
        create(ConfigurationFixture.home(home), "lab", Map.of("hooks", "wake"));

        SenderUpdate written = (SenderUpdate) early.write();

        assertThat(ConfigurationFixture.home(home).settings().senders()).containsOnlyKeys("lab", "ci");
        assertThat(hashes()).containsExactly(SenderToken.hash(written.token()));
    }

    @Test
    void changesNothingWhereTheLockCanNotBeMade() throws IOException {
        Files.createDirectories(home.resolve("data").resolve(SendersLock.NAME));
        SenderUpdate update =
                (SenderUpdate) SenderUpdatePlan.of(serving().environment(), "ci", Map.of("hooks", "wake"));

        assertThatThrownBy(update::write).isInstanceOf(IOException.class);
        assertThat(update.file()).doesNotExist();
    }

    @Test
    void setsUpAnEmptyHomeFirst() throws IOException {
        create(ConfigurationFixture.home(home), "ci", Map.of("hooks", "wake"));

        assertThat(home.resolve("postern.yaml")).exists();
        assertThat(ConfigurationFixture.home(home).settings().hooks().tokens()).hasSize(1);
        assertThat(ConfigurationFixture.home(home).settings().senders()).containsOnlyKeys("ci");
    }

    @Test
    void knowsTokenThatWasNotCopiedWhole() {
        String token = SenderToken.create().reveal();

        assertThat(SenderToken.isDamaged(token)).isFalse();
        assertThat(SenderToken.isDamaged("another secret")).isFalse();
        assertThat(SenderToken.isDamaged(token.substring(0, token.length() - 1)))
                .isTrue();
        assertThat(SenderToken.isDamaged(token + "0")).isTrue();
        char other = token.charAt(10) == 'a' ? 'b' : 'a';
        assertThat(SenderToken.isDamaged(token.substring(0, 10) + other + token.substring(11)))
                .isTrue();
        assertThat(ConfigurationFixture.yaml(
                                home, "senders: {ci: {token: " + token.substring(0, 50) + ", hooks: [wake]}}")
                        .problemLines())
                .singleElement()
                .asString()
                .contains("its checksum is wrong")
                .doesNotContain(token.substring(0, 50));
    }

    @Test
    void makesDifferentTokensEachTime() {
        Secret one = SenderToken.create();

        assertThat(SenderToken.create()).isNotEqualTo(one);
        assertThat(SenderToken.hash(one)).matches("[0-9a-f]{64}");
    }

    private ConfigurationFixture serving() {
        return ConfigurationFixture.yaml(home, ConfigurationFixture.SERVING);
    }

    private List<String> hashes() {
        return ConfigurationFixture.home(home).settings().senders().get("ci").tokenHashes();
    }

    private static SenderUpdate create(ConfigurationFixture fixture, String id, Map<String, String> settings)
            throws IOException {
        SenderUpdate update = (SenderUpdate) SenderUpdatePlan.of(fixture.environment(), id, settings);
        return (SenderUpdate) update.write();
    }
}
