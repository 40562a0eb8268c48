package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.config.MappingSettings.Body;
import dev.postern.config.MappingSettings.FormPayload;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the encodings of bodies that mappings take. */
class BodySectionTest {

    @TempDir
    Path home;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "match: {path: a}, body: gzip|body|is",
                "match: {path: a}, body: {gzip: perhaps}|body.gzip|perhaps",
                "match: {path: a}, body: {form: all}|body.form|all",
                "match: {path: a}, body: {zip: true}|body.zip|gzip",
                "match: {source: a}, body: {gzip: true}|body|stands without match.path",
                "match: {path: a}, body: {gzip: true}, verify: {scheme: hmac, secret: s, header: x, timestampField: t}|body"
                        + "|stands beside verify.timestampField",
                "match: {path: a}, body: {gzip: true}, verify: {scheme: sns}|body|stands beside scheme sns"
            })
    void encodingsThatCanNotBeReadAreRefused(String fields, String setting, String why) {
        assertThat(yaml("sns: {topics: ['arn:aws:sns:eu-west-1:123456789012:a']}\n  mappings: [{template: x, " + fields
                                + "}]")
                        .problemLines())
                .singleElement()
                .asString()
                .startsWith("hooks.mappings[0]." + setting + " [")
                .contains(why);
    }

    @Test
    void aPathHasOneKindOfForm() {
        String other = "{template: x, match: {path: a, source: b}, body: {form: fields}}";

        assertThat(yaml("mappings: [{id: one, template: x, match: {path: a, source: a}, body: {form: payload}}, "
                                + other + "]")
                        .problemLines())
                .singleElement()
                .asString()
                .startsWith("hooks.mappings[1].body [")
                .contains("has a form that differs, for the same path a, from that of one (");
        assertThat(yaml("presets: [github]\n  mappings: [" + other.replace("path: a", "path: github") + "]")
                        .problemLines())
                .singleElement()
                .asString()
                .startsWith("hooks.mappings[0].body [")
                .contains("for the same path github, from that of github-issues", "leave it out here");
    }

    @Test
    void plainJsonIsTakenUnlessAMappingSaysMore() {
        List<MappingSettings> mappings = yaml("mappings: [{template: x}, {template: x, match: {path: a}, body: {}},"
                        + " {template: x, match: {path: b}, body: {gzip: true, form: fields}}]")
                .settings()
                .hooks()
                .mappings();

        assertThat(mappings)
                .extracting(mapping -> mapping.payload().body())
                .containsExactly(Body.JSON, Body.JSON, new Body(true, FormPayload.FIELDS));
    }

    private ConfigurationFixture yaml(String hooks) {
        return ConfigurationFixture.yaml(home, ConfigurationFixture.SERVING + "  " + hooks + "\n");
    }
}
