package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.access.SignatureVerifier;
import dev.postern.config.MappingSettings.TextField;
import dev.postern.model.CoalescingRule;
import dev.postern.model.Secret;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the mappings that come with Postern. */
class PresetMappingsTest {

    @TempDir
    Path home;

    @ParameterizedTest
    @CsvSource({
        "[githb], did you mean github?",
        "[github.com], write one of gmail",
        "github, write a list",
        "[true], one of"
    })
    void anUnknownPresetIsRefusedWithTheNearestOne(String presets, String text) {
        assertThat(yaml("presets: " + presets).problemLines())
                .singleElement()
                .asString()
                .startsWith("hooks.presets [" + home + "/postern.yaml:4:12]")
                .containsIgnoringCase(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{githb: s}|did you mean github?",
                "{stripe: s}|which is not among hooks.presets",
                "{github: ''}|is blank",
                "{github: []}|is an empty list",
                "{github: '${env:NOT_SET}'}|which is not set",
                "{github: [s, s]}|holds the same secret twice",
                "[github]|write a map"
            })
    void aSigningSecretThatIsForNothingIsRefused(String secrets, String text) {
        assertThat(yaml("presets: [github]\n  signingSecrets: " + secrets).problemLines())
                .singleElement()
                .asString()
                .startsWith("hooks.signingSecrets [" + home + "/postern.yaml:5:")
                .contains(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gmail", "alertmanager"})
    void aSigningSecretForASenderThatDoesNotSignIsRefused(String preset) {
        assertThat(yaml("presets: [%1$s]\n  signingSecrets: {%1$s: signed}".formatted(preset))
                        .problemLines())
                .singleElement()
                .asString()
                .startsWith("hooks.signingSecrets [")
                .contains("has an entry [" + preset + "], but the preset's sender does not sign");
    }

    @Test
    void aSigningSecretThatIsNoneOfItsSendersIsRefused() {
        assertThat(yaml("presets: [gitlab]\n  signingSecrets: {gitlab: 'whsec_no base64'}")
                        .problemLines())
                .singleElement()
                .asString()
                .contains("has an entry [gitlab] that is no signing secret of Standard Webhooks")
                .doesNotContain("no base64");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "presetCoalesce: {alertmanager: {key: x}}",
                "presetReplyTo: {github: source}",
                "signingSecrets: {github: signed}"
            })
    void misspeltPresetMakesNoSecondProblem(String other) {
        assertThat(yaml("presets: [github, strip, alertmanager]\n  " + other).problemLines())
                .singleElement()
                .asString()
                .contains("hooks.presets [", "did you mean stripe?");
    }

    @Test
    void groupsOfPresetThatIsNotUsedAreRefused() {
        assertThat(yaml("presets: [github]\n  presetCoalesce: {grafana: {key: x}}")
                        .problemLines())
                .singleElement()
                .asString()
                .contains("hooks.presetCoalesce", "[grafana], which is not among hooks.presets");
    }

    @Test
    void allMappingsOfPresetHaveItsGroups() {
        assertThat(mappings("presets: [sentry]\n  presetCoalesce: {sentry: {key: x, window: 1m, keep: latest}}"))
                .allSatisfy(mapping -> {
                    assertThat(mapping.load().coalesce())
                            .isEqualTo(new CoalescingRule(Duration.ofMinutes(1), Duration.ofMinutes(5), true, 100));
                    assertThat(mapping.texts().get(TextField.COALESCE_KEY)).isNotNull();
                });
    }

    @Test
    void theHookTokenSignsNoPreset() {
        assertThat(yaml("presets: [github]\n  signingSecrets: {github: " + ConfigurationFixture.TOKEN + "}")
                        .problemLines())
                .singleElement()
                .asString()
                .startsWith("hooks.token [")
                .contains("is the same secret as the signing secret 1 of github-");
    }

    @Test
    void prefixesThatRefuseAPresetsKeysAreRefused() {
        assertThat(yaml("presets: [github]\n  defaultSessionKey: ci:x\n  allowedSessionKeyPrefixes: ['ci:']")
                        .problemLines())
                .singleElement()
                .asString()
                .startsWith("hooks.allowedSessionKeyPrefixes [")
                .contains("refuses the keys of the preset github, which begin with hook:github:")
                .endsWith("add \"hook:\" to it");
    }

    @ParameterizedTest
    @ValueSource(strings = {"['hook:']", "['ci:', 'hook:']", "['hook:github:', 'hook:']"})
    void prefixesThatAllowAPresetsKeysAreTaken(String prefixes) {
        assertThat(mappings("presets: [github]\n  allowedSessionKeyPrefixes: " + prefixes))
                .isNotEmpty();
    }

    @Test
    void anIdOfAPresetsMappingIsTakenAndSaidToTheOperator() {
        String id = mappings("presets: [github]").get(0).id();
        assertThat(yaml("presets: [github]\n  mappings: [{id: " + id + ", template: x, match: {path: y}}]")
                        .problemLines())
                .singleElement()
                .asString()
                .startsWith("hooks.mappings[0].id [")
                .contains("as is that of " + id + " (preset github:");
    }

    @Test
    void aSignatureOfTheOperatorsThatAPresetsDisagreesWithIsRefused() {
        String mapping = "  mappings: [{template: x, match: {path: github, source: y},"
                + " verify: {scheme: github, secret: mine}}]\n";
        assertThat(yaml("presets: [github]\n" + mapping + "  signingSecrets: {github: another}")
                        .problemLines())
                .singleElement()
                .asString()
                .startsWith("hooks.mappings[0].verify [")
                .contains("differs, for the same path github, from that of github-", "leave it out here");
        assertThat(mappings("presets: [github]\n" + mapping.replaceFirst(", verify: \\{.*?}", "")
                        + "  signingSecrets: {github: another}"))
                .filteredOn(each -> each.verify() != null)
                .isNotEmpty()
                .allMatch(each -> each.verify().secrets().equals(List.of(new Secret("another"))));
        assertThat(mappings("presets: [github]\n" + mapping + "  signingSecrets: {github: mine}"))
                .isNotEmpty();
        assertThat(mappings("presets: [github]\n" + mapping)).isNotEmpty();
    }

    @Test
    void aMappingThatTakesEverythingBeforeThePresetsIsWarnedOf() {
        assertThat(yaml("presets: [github]\n  mappings: [{template: x}]").warnings())
                .singleElement()
                .asString()
                .startsWith("hooks.presets [")
                .contains("mappings[0] (" + home + "/postern.yaml:5:14) before them has no match.path");
    }

    @Test
    void presetFollowsOperatorsMappingsAndNeedsTokenWithoutSecret() {
        List<MappingSettings> mappings = mappings("presets: [github]\n  mappings: [{template: x, match: {path: y}}]");
        assertThat(mappings).hasSizeGreaterThan(1);
        assertThat(mappings.get(0).id()).isEqualTo("mappings[0]");
        assertThat(mappings.subList(1, mappings.size())).allSatisfy(mapping -> {
            assertThat(mapping.id()).startsWith("github");
            assertThat(mapping.where()).startsWith("preset github:");
            assertThat(mapping.match().path()).isEqualTo("github");
            assertThat(mapping.verify()).isNull();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"one", "[one, two]"})
    void aPresetsSignatureIsCheckedByItsSecrets(String secret) {
        List<MappingSettings> mappings = mappings("presets: [github]\n  signingSecrets: {github: " + secret + "}");
        assertThat(mappings).anySatisfy(mapping -> assertThat(mapping.verify()).isNotNull());
        assertThat(mappings).filteredOn(mapping -> mapping.verify() != null).allSatisfy(mapping -> {
            assertThat(mapping.verify().scheme()).isEqualTo(MappingSettings.Scheme.GITHUB);
            assertThat(mapping.verify().secrets())
                    .hasSize(secret.split(",").length)
                    .contains(new Secret("one"));
        });
    }

    @Test
    void presetsAndTheirSecretsCanComeFromOutside() {
        HookSettings hooks = ConfigurationFixture.yaml(home, ConfigurationFixture.SERVING)
                .variable("POSTERN_HOOKS_PRESETS", "github")
                .property("postern.hooks.signingSecrets", "{\"github\": \"${env:GITHUB_SECRET}\"}")
                .variable("GITHUB_SECRET", "signed")
                .settings()
                .hooks();
        assertThat(hooks.mappings())
                .anySatisfy(mapping -> assertThat(mapping.verify().secrets()).containsExactly(new Secret("signed")));
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyPresetWorksOutOfTheBoxAtThePathThatIsItsName(String preset) {
        List<MappingSettings> mappings = mappings("presets: [" + preset + "]" + topics(preset));
        assertThat(mappings).isNotEmpty().allSatisfy(mapping -> {
            assertThat(mapping.id()).startsWith(preset);
            assertThat(mapping.match().path()).isEqualTo(preset);
            assertThat(mapping.trusted()).isFalse();
            MappingSettings.Text key = mapping.texts().get(TextField.SESSION_KEY);
            if (key != null) {
                String withoutConditions = key.template().replaceAll("<#[^>]*>", "");
                assertThat(withoutConditions).startsWith("hook:" + preset + ":");
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"github", "gitlab", "stripe", "slack", "grafana", "sentry", "pagerduty", "jira", "linear"})
    void aSenderThatSignsIsKnownByItsSignatureAtAllOfItsMappings(String preset) {
        assertThat(mappings("presets: [%1$s]\n  signingSecrets: {%1$s: signed}".formatted(preset)))
                .isNotEmpty()
                .allSatisfy(mapping -> assertThat(SignatureVerifier.of(
                                        mapping.verify(), InstantSource.system(), (body, field) -> Optional.empty())
                                .required())
                        .isFalse());
    }

    @Test
    void allPresetsWorkTogether() {
        assertThat(yaml("presets: [" + String.join(", ", PresetMappings.NAMES) + "]" + topics("sns"))
                        .warnings())
                .isEmpty();
    }

    /** The topics that only the preset sns needs. */
    private static String topics(String preset) {
        return preset.equals("sns") ? "\n  sns: {topics: [\"arn:aws:sns:eu-west-1:123456789012:alarms\"]}" : "";
    }

    private static List<String> names() {
        return PresetMappings.NAMES;
    }

    private List<MappingSettings> mappings(String hooks) {
        return yaml(hooks).settings().hooks().mappings();
    }

    private ConfigurationFixture yaml(String hooks) {
        return ConfigurationFixture.yaml(home, ConfigurationFixture.SERVING + "  " + hooks);
    }
}
