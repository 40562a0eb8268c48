package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the topics of Amazon SNS, and of the mappings that take their messages. */
class SnsSectionTest {

    private static final String TOPIC = "arn:aws:sns:eu-west-1:123456789012:alarms";
    private static final String MAPPING =
            """
            mappings:
                - id: bills
                  match: {path: bills}
                  template: bill
                  verify: {scheme: sns%s}
            """;

    @TempDir
    Path home;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sns: {}|hooks.sns.topics|is missing",
                "sns: {topics: []}|hooks.sns.topics|is empty",
                "sns: {topics: [alarms]}|hooks.sns.topics|a topic's ARN",
                "sns: {topics: ['arn:aws:sqs:eu-west-1:123456789012:a']}|hooks.sns.topics|arn:aws:sns",
                "sns: {topics: ['arn:aws:sns:eu-west-1/x:123456789012:a']}|hooks.sns.topics|arn:aws:sns",
                "sns: {topics: [TOPIC], endpoint: sns.local}|hooks.sns.endpoint|http",
                "sns: {topics: [TOPIC], endpoint: 'http://a/?b'}|hooks.sns.endpoint|goes on with ?",
                "presets: [sns]|hooks.presets|name the topics in hooks.sns.topics"
            })
    void refusesTopicsThatCanNotSend(String settings, String setting, String wrong) {
        assertThat(hooks(settings.replace("TOPIC", '"' + TOPIC + '"')).problemLines())
                .singleElement()
                .asString()
                .startsWith(setting + " [")
                .contains(wrong);
    }

    @ParameterizedTest
    @CsvSource({"2h,true", "130m,false", "24h,false"})
    void warnsOfKeysThatAreForgottenWhileASignatureIsValid(String ttl, boolean warned) {
        String settings = "presets: [sns]\n  idempotencyTtl: " + ttl + "\n  sns: {topics: [\"" + TOPIC + "\"]}";

        assertThat(hooks(settings).warnings().stream()
                        .anyMatch(line -> line.startsWith("hooks.idempotencyTtl")
                                && line.contains("is shorter than the 7800 s for which a signed request is valid")))
                .isEqualTo(warned);
    }

    @Test
    void refusesASigningSecretOfThePreset() {
        assertThat(hooks("presets: [sns]\n  signingSecrets: {sns: s}\n  sns: {topics: [\"" + TOPIC + "\"]}")
                        .problemLines())
                .singleElement()
                .asString()
                .startsWith("hooks.signingSecrets [")
                .contains("has an entry [sns], but the preset's sender does not sign with a secret");
    }

    @Test
    void refusesAMappingWithoutTopicsOrWithASecret() {
        assertThat(hooks(MAPPING.formatted("")).problemLines())
                .singleElement()
                .asString()
                .contains("verify.scheme", "name the topics in hooks.sns.topics");
        assertThat(hooks(MAPPING.formatted(", secret: s") + "  sns: {topics: ['" + TOPIC + "']}\n")
                        .problemLines())
                .singleElement()
                .asString()
                .contains("verify.secret", "stands with scheme sns");
    }

    @Test
    void givesEachMappingTheTopics() {
        List<MappingSettings> mappings = hooks(MAPPING.formatted("") + "  sns: {topics: ['" + TOPIC
                        + "'], endpoint: 'http://localhost:4566/'}\n")
                .settings()
                .hooks()
                .mappings();

        SnsSettings sns = Objects.requireNonNull(
                Objects.requireNonNull(mappings.get(0).verify()).sns());
        assertThat(sns.topics()).containsExactly(TOPIC);
        assertThat(sns.endpointOf(TOPIC)).isEqualTo(URI.create("http://localhost:4566"));
    }

    private ConfigurationFixture hooks(String hooks) {
        return ConfigurationFixture.yaml(home, ConfigurationFixture.SERVING + "  " + hooks);
    }
}
