package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A test of the section {@code senders}. */
class SendersSectionTest {

    private static final String SECRET = "another-token-that-is-long-01";
    private static final String HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

    @TempDir
    Path home;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "senders.ci.token|is missing|hooks: [wake]",
                "senders.ci.hooks|is missing|token: " + SECRET,
                "senders.ci.tokenSha256|is given beside token|token: " + SECRET + ", tokenSha256: " + HASH
                        + ", hooks: [wake]",
                "senders.ci.tokenSha256|holds something other than a SHA-256|tokenSha256: pst_x, hooks: [wake]",
                "senders.ci.tokenSha256|is a list of 3|tokenSha256: [" + HASH + ", " + HASH + ", " + HASH
                        + "], hooks: [wake]",
                "senders.ci.tokenSha256|holds the same token twice|tokenSha256: [" + HASH + ", " + HASH
                        + "], hooks: [wake]",
                "senders.ci.token|is the same secret as hooks.token|token: " + ConfigurationFixture.TOKEN
                        + ", hooks: [wake]",
                "senders.ci.token|is the same secret as channels.slack.botToken|token: xoxb-the-token-of-slack-here"
                        + ", hooks: [wake]",
                "senders.ci.hooks|has an entry that is [*]|token: " + SECRET + ", hooks: ['*']",
                "senders.ci.hooks|has an entry that is [a/*/b]|token: " + SECRET + ", hooks: ['a/*/b']",
                "senders.ci.agents|has [opps], which is no agent|token: " + SECRET + ", hooks: [wake], agents: [opps]",
                "senders.ci.agents|which is not in hooks.allowedAgentIds|token: " + SECRET
                        + ", hooks: [wake], agents: [lab]",
                "senders.ci.models|which no agent may use|token: " + SECRET + ", hooks: [wake], models: [offline/big]",
                "senders.ci.models|which is no model id and no alias|token: " + SECRET
                        + ", hooks: [wake], models: [big]",
                "senders.ci.sessionKeyPrefixes|outside hooks.allowedSessionKeyPrefixes|token: " + SECRET
                        + ", hooks: [wake], sessionKeyPrefixes: ['lab:']",
                "senders.ci.channels|has [slak], which is no channel|token: " + SECRET
                        + ", hooks: [wake], channels: [slak]",
                "senders.ci.rate|is [60]|token: " + SECRET + ", hooks: [wake], rate: 60",
                "senders.ci.rate|is [0/1m]|token: " + SECRET + ", hooks: [wake], rate: 0/1m",
                "senders.ci.rate|is [60/2d]|token: " + SECRET + ", hooks: [wake], rate: 60/2d",
                "senders.ci.expires|is [2030-02-30]|token: " + SECRET + ", hooks: [wake], expires: 2030-02-30",
                "senders.ci.expires|is [2030-01-01T10:00]|token: " + SECRET
                        + ", hooks: [wake], expires: '2030-01-01T10:00'",
                "senders.ci.maxPending|is [0]|token: " + SECRET + ", hooks: [wake], maxPending: 0"
            })
    void locatesContradiction(String setting, String wrong, String sender) {
        List<ConfigurationProblem> problems = with(sender).problems();
        assertThat(problems).hasSize(1);
        assertThat(problems.get(0).setting()).isEqualTo(setting);
        assertThat(problems.get(0).wrong()).contains(wrong);
        assertThat(problems.get(0).origin().where()).contains("postern.yaml:");
        assertThat(problems.get(0).toString()).doesNotContain(SECRET).doesNotContain("pst_x");
    }

    @Test
    void rejectsTokenOfTwoSenders() {
        ConfigurationFixture both = ConfigurationFixture.yaml(
                home,
                ConfigurationFixture.SERVING + "senders:\n  a: {token: " + SECRET + ", hooks: [wake]}\n  b: {token: "
                        + SECRET + ", hooks: [wake]}\n");
        assertThat(both.problemLines())
                .singleElement()
                .asString()
                .contains("senders.b.token", "is the same secret as a token of senders.a")
                .doesNotContain(SECRET);
    }

    @Test
    void needsHookTokenWhereNoSenderIs() {
        assertThat(ConfigurationFixture.yaml(home, "hooks: {enabled: true}").problemLines())
                .singleElement()
                .asString()
                .contains("hooks.token", "there are no senders");
        assertThat(ConfigurationFixture.yaml(
                                home, "hooks: {enabled: true}\nsenders: {ci: {token: " + SECRET + ", hooks: [wake]}}")
                        .settings()
                        .hooks()
                        .tokens())
                .isEmpty();
    }

    @Test
    void warnsOfHookThatNoMappingHas() {
        assertThat(with("token: " + SECRET + ", hooks: [wake, agent, ci, 'ci/*', 'gh/*', other]")
                        .warnings())
                .filteredOn(warning -> warning.contains("senders."))
                .hasSize(2)
                .anyMatch(warning -> warning.contains("[ci/*], which is no hook"))
                .anyMatch(warning -> warning.contains("[other], which is no hook"));
    }

    @Test
    void readsEverySetting() {
        SenderSettings sender = with("token: " + SECRET + ", hooks: [wake, 'gh/*'], agents: [ops],"
                        + " sessionKeyPrefixes: ['hook:ci:'], models: [fast], channels: [last, slack], rate: 60/1m,"
                        + " expires: '2030-01-01T10:00:00+02:00', maxPending: 5")
                .settings()
                .senders()
                .get("ci");
        assertThat(sender)
                .isEqualTo(new SenderSettings(
                        "ci",
                        List.of("3704f327eb5669f913f68849c3788a8770d3fcf92bc271bb53f7f53e16b2842e"),
                        List.of("wake", "gh/*"),
                        new SenderSettings.Scope(
                                Optional.of(List.of("ops")),
                                Optional.of(List.of("hook:ci:")),
                                Optional.of(List.of("offline/echo")),
                                Optional.of(List.of("last", "slack"))),
                        Instant.parse("2030-01-01T08:00:00Z"),
                        false,
                        new SenderSettings.Rate(60, Duration.ofMinutes(1)),
                        5));
    }

    @Test
    void coversHooksByNameAndBelowPrefix() {
        SenderSettings sender = with("token: " + SECRET + ", hooks: [ci, 'gh/*']")
                .settings()
                .senders()
                .get("ci");
        assertThat(List.of("ci", "gh/push", "gh/push/x")).allMatch(sender::mayCall);
        assertThat(List.of("", "wake", "agent", "c", "ci/x", "cix", "gh", "gh/", "ghx/push", "GH/push", "gh%2Fpush"))
                .noneMatch(sender::mayCall);
    }

    @Test
    void warnsOfASenderWhoseTimeHasPassed() {
        assertThat(with("token: " + SECRET + ", hooks: [wake], expires: 2020-01-01")
                        .warnings())
                .anySatisfy(line -> assertThat(line)
                        .startsWith("senders.ci.expires")
                        .endsWith("has passed; a request with its token is answered 401"));
    }

    @Test
    void sendersTokenEndsWithItsTime() {
        SenderSettings sender = with("token: " + SECRET + ", hooks: [ci], expires: 2030-01-01")
                .settings()
                .senders()
                .get("ci");
        assertThat(sender.isActive(Instant.parse("2029-12-31T23:59:59.999Z"))).isTrue();
        assertThat(sender.isActive(Instant.parse("2030-01-01T00:00:00Z"))).isFalse();
    }

    @Test
    void spellsRateInOneUnit() {
        assertThat(new SenderSettings.Rate(5, Duration.ofSeconds(90))).hasToString("5/90s");
        assertThat(new SenderSettings.Rate(5, Duration.ofMillis(1_500))).hasToString("5/1500ms");
        assertThat(new SenderSettings.Rate(5, Duration.ofHours(24))).hasToString("5/1d");
    }

    private ConfigurationFixture with(String sender) {
        return ConfigurationFixture.yaml(
                home,
                """
                hooks:
                  enabled: true
                  token: %s
                  allowedAgentIds: [ops]
                  allowedSessionKeyPrefixes: ["hook:"]
                  mappings:
                    - {match: {path: ci}, messageTemplate: x}
                    - {match: {path: gh/push}, messageTemplate: x}
                channels: {slack: {botToken: xoxb-the-token-of-slack-here}}
                agents:
                  defaults: {models: {fast: offline/echo}}
                  list: [{id: main, default: true}, {id: ops}, {id: lab}]
                senders:
                  ci: {%s}
                """
                        .formatted(ConfigurationFixture.TOKEN, sender));
    }
}
