package dev.postern.ingress;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A test of the advice for a form that was read as JSON. */
class FormAdviceTest {

    private static final String FORM = "application/x-www-form-urlencoded";

    @TempDir
    static Path home;

    private static PresetFixture presets;

    @BeforeAll
    static void start() throws IOException {
        presets = PresetFixture.at(home);
    }

    @AfterAll
    static void end() {
        presets.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "wake | text=a | Send JSON.",
                "agent | a=1&command=%2Fdeploy | Send JSON.",
                "agent | payload=%7B%7D | At GitHub, choose the content type application/json.",
                "slack | a=1&command=%2Fdeploy | Slack's commands are sent so: let a mapping take forms (body: {form: fields}).",
                "stripe | text=a | Send JSON, or let a mapping take forms (body: {form: fields}).",
                "stripe | payload=%7B%7D | At GitHub, choose the content type application/json, or let a mapping take"
                        + " forms (body: {form: payload})."
            })
    void aHookWithoutFormsSaysWhatItTakes(String hook, String body, String advice) {
        JsonNode explained = explain(hook, FORM, body);

        assertThat(explained.path("status").asInt()).isEqualTo(415);
        assertThat(explained.path("error").asText())
                .isEqualTo("The body is a form (application/x-www-form-urlencoded), not JSON. " + advice);
    }

    @ParameterizedTest
    @CsvSource({"application/json", "text/plain"})
    void aHookThatTakesFormsNamesTheirType(String type) {
        JsonNode explained = explain("github", type, "payload=%7B%7D");

        assertThat(explained.path("status").asInt()).isEqualTo(415);
        assertThat(explained.path("error").asText())
                .isEqualTo("The body is a form, but its Content-Type is not application/x-www-form-urlencoded. Send it"
                        + " with that Content-Type.");
    }

    @ParameterizedTest
    @CsvSource({"a=b, no field payload", "payload=%7B, not valid JSON"})
    void aFormThatIsTakenIsToldWhatItLacks(String body, String sentence) {
        JsonNode explained = explain("github", FORM, body);

        assertThat(explained.path("status").asInt()).isEqualTo(400);
        assertThat(explained.path("error").asText()).contains(sentence);
    }

    private static JsonNode explain(String hook, String type, String body) {
        return presets.explain(
                new HttpRequestFile(hook, Map.of("content-type", type), body.getBytes(StandardCharsets.ISO_8859_1)));
    }
}
