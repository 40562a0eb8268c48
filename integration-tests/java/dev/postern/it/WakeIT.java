package dev.postern.it;

import static dev.postern.it.ResponseAssert.assertThatResponse;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A test of requests to {@code wake}, and of the rules for JSON. */
class WakeIT extends DeploymentFixture {

    @Deployment(testable = false)
    static WebArchive postern() {
        return DeploymentHome.empty("wake").war();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "",
                "{'text':null}",
                "{'text':''}",
                "{'text':' \\t\\n '}",
                "{'text':7}",
                "{'text':true}",
                "{'text':['c4nary']}",
                "{'text':{'c4nary':1}}",
                "{'Text':'c4nary'}",
                "{'text':'c4nary','text':1}"
            })
    void namesTheTextThatIsMissingOrNoText(String body) {
        assertThatResponse(wake(body.replace('\'', '"')).send()).isError(400, "invalid_payload", "text");
    }

    @ParameterizedTest
    @ValueSource(strings = {"'c4nary'", "'NOW'", "'next_heartbeat'", "''", "1", "false", "['now']", "{}"})
    void namesAModeThatThereIsNot(String mode) {
        String body = "{'text':'c4nary','mode':%s}".formatted(mode).replace('\'', '"');

        assertThatResponse(wake(body).send()).isError(400, "invalid_payload", "mode");
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "[]", "[{\"text\":\"c4nary\"}]", "\"c4nary\"", "1", "true"})
    void refusesJsonThatIsNoObject(String body) {
        assertThatResponse(wake(body).send()).isError(400, "invalid_payload");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'text':c4nary}                   | line 1, column ",
                "{'text':'c4nary'                  | line 1, column ",
                "{'text':'c4nary',}                | line 1, column ",
                "{'text':'c4nary'} {'text':'more'} | line 1, column ",
                "{'text':'c4nary','n':01}          | line 1, column ",
                "{'text':'c4nary','n':NaN}         | line 1, column ",
                "{~ 'text': ~ c4nary               | line 3, column ",
            })
    void saysWhereJsonIsMalformedAndNeverRepeatsIt(String body, String where) {
        String json = body.replace('\'', '"').replace('~', '\n');

        assertThatResponse(wake(json).send()).isError(400, "invalid_json").says(where);
    }

    @ParameterizedTest
    @CsvSource({"201 levels, 201, '[', ']'", "a number of 1001 digits, 1001, 7, ''"})
    void refusesWhatPassesALimit(String what, int times, String open, String close) {
        String body = "{\"text\":\"c4nary\",\"x\":" + open.repeat(times) + close.repeat(times) + "}";

        assertThatResponse(wake(body).send()).isError(400, "invalid_json");
    }

    @Test
    void refusesANameOfMoreThan10000Characters() {
        String body = "{\"text\":\"c4nary\",\"" + "n".repeat(10_001) + "\":1}";

        assertThatResponse(wake(body).send()).isError(400, "invalid_json");
    }

    @Test
    void refusesBytesThatAreNotUtf8() {
        byte[] body = "{\"text\":\"c4nary \u00e9\"}".getBytes(StandardCharsets.ISO_8859_1);

        assertThatResponse(get("hooks/wake").bytes(body).send()).isError(400, "invalid_json");
    }

    @Test
    void takesWhatIsAtTheLimits() {
        String body = "{\"text\":\"at the limits\",\"a\":" + "[".repeat(199) + "]".repeat(199) + ",\"n\":"
                + "7".repeat(1000) + ",\"" + "n".repeat(10_000) + "\":1}";

        assertThatResponse(wake(body).send()).isOk(200);
    }

    @Test
    void answersWithModeAndEventId() {
        RawResponse rawResponse = wake("{\"text\":\"the build is red\",\"mode\":\"next-heartbeat\"}")
                .send();

        assertThatResponse(rawResponse).isOk(200).hasNoHeader("Location").hasNoHeader("Idempotent-Replayed");
        assertThat(rawResponse.json().keySet()).containsExactly("ok", "mode", "eventId");
        assertThat(rawResponse.text("mode")).isEqualTo("next-heartbeat");
        assertThat(rawResponse.text("eventId")).isNotBlank();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"text\":\"a\"}",
                "{\"text\":\"a\",\"mode\":null}",
                "{\"text\":\"a\",\"mode\":\"now\",\"unknown\":{\"field\":[1]},\"\":null}",
                "{\"text\":1,\"text\":\"of repeated names the last wins\"}",
                "\uFEFF{\"text\":\"a byte order mark is skipped\"}",
                " \r\n\t{\"text\":\"\\ud83d\\ude00 \\u0000\"} ",
            })
    void takesAWakeAndMeansNow(String body) {
        RawResponse rawResponse = wake(body).send();

        assertThatResponse(rawResponse).isOk(200);
        assertThat(rawResponse.text("mode")).isEqualTo("now");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/plain",
                "application/x-www-form-urlencoded",
                "application/vnd.api+json; charset=iso-8859-1",
                "application/json; charset=\"utf-8\"",
                "c4nary"
            })
    void takesJsonWhateverItsContentType(String type) {
        assertThatResponse(wake("{\"text\":\"a\"}").header("Content-Type", type).send())
                .isOk(200);
    }

    @Test
    void givesEachEventItsOwnId() {
        String body = "{\"text\":\"twice\"}";

        assertThat(wake(body).send().text("eventId"))
                .isNotEqualTo(wake(body).send().text("eventId"));
    }

    @Test
    void countsWhatItAccepted() {
        long before = metrics().sum("postern_accepted_total{action=\"wake\"}");

        wake("{\"text\":\"counted\"}").send();
        wake("{\"text\":7}").send();

        assertThat(metrics().sum("postern_accepted_total{action=\"wake\"}")).isEqualTo(before + 1);
    }
}
