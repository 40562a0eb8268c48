package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.config.MappingSettings.Encoding;
import dev.postern.config.MappingSettings.Scheme;
import dev.postern.config.MappingSettings.SignatureForm;
import dev.postern.config.MappingSettings.Verify;
import dev.postern.model.Secret;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the signatures that authenticate senders to mapped hooks. */
class VerifySectionTest {

    @TempDir
    Path home;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "github|verify",
                "{secret: s}|verify.scheme",
                "{scheme: git, secret: s}|verify.scheme",
                "{scheme: github}|verify.secret",
                "{scheme: github, secret: ''}|verify.secret",
                "{scheme: github, secret: []}|verify.secret",
                "{scheme: github, secret: ['', s]}|verify.secret",
                "{scheme: github, secret: '${env:NOT_SET}'}|verify.secret",
                "{scheme: github, secret: '${file:secrets/none}'}|verify.secret",
                "{scheme: github, secrets: []}|verify.secrets",
                "{scheme: github, secret: s, secrets: [t]}|verify.secrets",
                "{scheme: github, secrets: [s, s]}|verify.secrets",
                "{scheme: github, secrets: [a, b, c, d, e, f, g, h, i, j, k]}|verify.secrets",
                "{scheme: github, secret: s, required: perhaps}|verify.required",
                "{scheme: github, secret: s, header: x-sig}|verify.header",
                "{scheme: stripe, secret: s, toleranceSeconds: 5}|verify.toleranceSeconds",
                "{scheme: slack, secret: s, encoding: hex}|verify.encoding",
                "{scheme: standard-webhooks, secret: 'whsec_no base64'}|verify.secret",
                "{scheme: standard-webhooks, secret: whsec_}|verify.secret",
                "{scheme: standard-webhooks, secret: whsk_c2VjcmV0}|verify.secret",
                "{scheme: standard-webhooks, secrets: [whsec_c2VjcmV0, '%']}|verify.secrets",
                "{scheme: gitlab, secret: whsec_%}|verify.secret",
                "{scheme: hmac, secret: s}|verify.header",
                "{scheme: hmac, secret: s, header: 'x sig'}|verify.header",
                "{scheme: hmac, secret: s, header: Authorization}|verify.header",
                "{scheme: hmac, secret: s, header: X-Service-Token}|verify.header",
                "{scheme: hmac, secret: s, header: x-sig, algorithm: md5}|verify.algorithm",
                "{scheme: hmac, secret: s, header: x-sig, encoding: utf8}|verify.encoding",
                "{scheme: hmac, secret: s, header: x-sig, prefix: 'a,b'}|verify.prefix",
                "{scheme: hmac, secret: s, header: x-sig, timestampHeader: 'a b'}|verify.timestampHeader",
                "{scheme: hmac, secret: s, header: x-sig, timestampHeader: t, toleranceSeconds: 0}|verify.toleranceSeconds",
                "{scheme: hmac, secret: s, hedaer: x-sig, header: x}|verify.hedaer"
            })
    void aSignatureThatCanNotBeCheckedIsRefused(String verify, String setting) {
        assertThat(at("ci", verify).problems()).singleElement().satisfies(problem -> {
            assertThat(problem.setting()).isEqualTo("hooks.mappings[0]." + setting);
            assertThat(problem.origin().where()).startsWith(home + "/postern.yaml:4:");
        });
    }

    @Test
    void aSignatureNeedsAPath() {
        assertThat(yaml("mappings: [{template: x, match: {source: ci}, verify: {scheme: github, secret: s}}]")
                        .problemLines())
                .singleElement()
                .asString()
                .startsWith("hooks.mappings[0].verify [")
                .contains("stands without match.path");
    }

    @ParameterizedTest
    @ValueSource(strings = {"secret: T", "secrets: [other, T]", "secret: '${env:SHARED}'"})
    void theHookTokenSignsNothing(String secret) {
        ConfigurationFixture configurationFixture = at(
                        "ci", "{scheme: gitlab, " + secret.replaceAll("\\bT\\b", ConfigurationFixture.TOKEN) + "}")
                .variable("SHARED", ConfigurationFixture.TOKEN);
        assertThat(configurationFixture.problemLines())
                .singleElement()
                .asString()
                .startsWith("hooks.token [")
                .contains("is the same secret as the signing secret ", " of mappings[0]")
                .doesNotContain(ConfigurationFixture.TOKEN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{scheme: github, secret: t}",
                "{scheme: github, secrets: [s, t]}",
                "{scheme: stripe, secret: s}",
                "{scheme: github, secret: s, required: true}"
            })
    void twoSignaturesOnOnePathAreRefused(String second) {
        assertThat(yaml(two("ci", "/ci/", second)).problemLines())
                .singleElement()
                .asString()
                .startsWith("hooks.mappings[1].verify [")
                .contains("differs, for the same path ci, from that of one (" + home + "/postern.yaml:4:14)")
                .contains("write the same in both, or leave it out of one");
    }

    @Test
    void theSameSignatureTwiceOnOnePathIsTakenAndSoAreTwoOnTwoPaths() {
        assertThat(yaml(two("ci", "ci", "{scheme: github, secrets: [s]}")).settings())
                .isNotNull();
        assertThat(yaml(two("ci", "cd", "{scheme: stripe, secret: t}")).settings())
                .isNotNull();
    }

    private static String two(String firstPath, String secondPath, String second) {
        return ("mappings: [{id: one, template: x, match: {path: %s, source: a}, verify: {scheme: github, secret: s}},"
                        + " {template: x, match: {path: %s}, verify: %s}]")
                .formatted(firstPath, secondPath, second);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "standard-webhooks, webhook-signature, BASE64, 'v1,', webhook-timestamp, .",
                "github, x-hub-signature-256, HEX, sha256=, -, ''",
                "stripe, stripe-signature, HEX, v1=, stripe-signature, .",
                "slack, x-slack-signature, HEX, v0=, x-slack-request-timestamp, :",
                "gitlab, x-gitlab-token, HEX, '', -, ''"
            })
    void whatASchemeFixesIsFilledIn(
            String scheme, String header, Encoding encoding, String prefix, String timestampHeader, String separator) {
        assertThat(verify("{scheme: " + scheme + ", secret: c2VjcmV0}"))
                .isEqualTo(new Verify(
                        Scheme.valueOf(scheme.replace('-', '_').toUpperCase(java.util.Locale.ROOT)),
                        List.of(new Secret("c2VjcmV0")),
                        false,
                        new SignatureForm(header, encoding, prefix, timestampHeader, separator),
                        null,
                        Duration.ofMinutes(5)));
    }

    @Test
    void aHashIsInHexOverTheBodyAloneUnlessSaidOtherwise() {
        assertThat(verify("{scheme: hmac, secret: s, header: X-Sig}"))
                .isEqualTo(new Verify(
                        Scheme.HMAC,
                        List.of(new Secret("s")),
                        false,
                        new SignatureForm("x-sig", Encoding.HEX, "", null, "."),
                        null,
                        Duration.ofMinutes(5)));
        assertThat(verify(
                        "{scheme: hmac, secrets: [s, '${file:secrets/sign}'], required: true, header: X-Sig, algorithm:"
                                + " sha512, encoding: base64, prefix: 'v1=', timestampHeader: X-Time, separator: '',"
                                + " toleranceSeconds: 30}"))
                .isEqualTo(new Verify(
                        Scheme.HMAC,
                        List.of(new Secret("s"), new Secret("from a file")),
                        true,
                        new SignatureForm("x-sig", "HmacSHA512", Encoding.BASE64, "v1=", "x-time", ""),
                        null,
                        Duration.ofSeconds(30)));
    }

    @Test
    void aTimeMayStandInTheBody() {
        Verify verify = verify("{scheme: hmac, secret: s, header: x, timestampField: sent.at, toleranceSeconds: 60}");
        assertThat(verify.timestampField()).isEqualTo("sent.at");
        assertThat(verify.form().timestampHeader()).isNull();
        assertThat(verify.tolerance()).isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void whatIsForATimestampIsWarnedOfWithoutOne() {
        assertThat(at("ci", "{scheme: hmac, secret: s, header: x, toleranceSeconds: 5, separator: ':'}")
                        .warnings())
                .hasSize(2)
                .allMatch(line -> line.contains("is used for nothing without timestampHeader"));
        assertThat(at("ci", "{scheme: hmac, secret: s, header: x, toleranceSeconds: 5, timestampField: at}")
                        .warnings())
                .isEmpty();
    }

    private Verify verify(String verify) {
        return at("ci", verify)
                .file("secrets/sign", "from a file\n")
                .settings()
                .hooks()
                .mappings()
                .get(0)
                .verify();
    }

    private ConfigurationFixture at(String path, String verify) {
        return yaml("mappings: [{template: x, match: {path: " + path + "}, verify: " + verify + "}]");
    }

    private ConfigurationFixture yaml(String hooks) {
        return ConfigurationFixture.yaml(home, ConfigurationFixture.SERVING + "  " + hooks);
    }
}
