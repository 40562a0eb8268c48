package dev.postern.it.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A test that responses which Postern must not give are found. */
class OpenApiTest {

    private static final String EVENT = "evt_01m82643n8bv5akzj9t4n7wxxe";
    private static final String ERROR = "{'ok':false,'error':'No.','code':'%s'}";

    private final OpenApi document =
            OpenApi.of(Files.readString(Path.of("src/main/resources/dev/postern/console/openapi.json")), "in/deep");

    OpenApiTest() throws IOException {}

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "POST /in/deep/wake    | 200 |                         | {'ok':true,'mode':'now','eventId':'#'}",
                "POST /in/deep/wake/   | 401 | WWW-Authenticate=Bearer realm=\"hooks\" | unauthorized",
                "HEAD /health/live     | 200 |                         | ``",
                "HEAD /in/deep/wake    | 405 | Allow=POST              | ``",
                "PUT  /in/deep/runs/x  | 405 | Allow=GET               | method_not_allowed",
                "post /in/deep/wake    | 405 | Allow=POST              | method_not_allowed",
                "POST /in/deep/a/b     | 204 |                         | ``",
                "POST /in/deep         | 404 |                         | not_found",
                "POST /hooks/wake      | 404 |                         | not_found",
                "GET  /console/api/x/y | 404 |                         | not_found",
            })
    void findsNothingWrongWithWhatIsSaid(String asked, int status, String header, String body) {
        assertThat(faults(asked, status, header, body)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "POST /in/deep/wake   | 202 |               | {'ok':true,'mode':'now','eventId':'#'}       | the status is 202",
                "POST /in/deep/wake   | 200 |               | {'ok':true,'mode':'now'}                     | eventId",
                "POST /in/deep/wake   | 200 |               | {'ok':true,'mode':'now','eventId':7}         | at [/eventId]",
                "POST /in/deep/wake   | 200 |               | {'ok':true,'mode':'now','eventId':'#','a':1} | at [/a]",
                "POST /in/deep/wake   | 200 | Location=/x   | {'ok':true,'mode':'now','eventId':'#'}       | it has Location",
                "POST /in/deep/wake   | 200 |               | {'ok':true                                   | no JSON",
                "POST /in/deep/wake   | 401 |               | unauthorized                                 | it lacks WWW-Authenticate",
                "POST /in/deep/wake   | 429 | Retry-After=0 | throttled                                    | Retry-After at []",
                "POST /in/deep/wake   | 400 |               | session_key_disabled                         | at [/code]",
                "POST /in/deep/a      | 204 |               | {}                                           | it has a body",
                "HEAD /health/live    | 200 |               | {'status':'up'}                              | it has a body",
                "POST /hooks/wake     | 401 |               | unauthorized                                 | it lacks WWW-Authenticate",
                "GET  /console/api/x  | 200 |               | {}                                           | the status is 200",
            })
    void findsWhatIsNotSaid(String asked, int status, String header, String body, String fault) {
        assertThat(faults(asked, status, header, body)).anyMatch(found -> found.contains(fault));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {"{'text':'a','more':1}|0", "{'text':'a','text':'b'}|0", "{'text':7}|1", "{'mode':'now'}|1"})
    void findsWhatIsAcceptedAndNotSaidToBe(String sent, int faults) {
        ActualRequest actualRequest = new ActualRequest("POST", "in/deep", "/in/deep/wake", sent.replace('\'', '"'));

        assertThat(document.faults(actualRequest, given(200, "", "{'ok':true,'mode':'now','eventId':'#'}")))
                .hasSize(faults);
    }

    private List<String> faults(String asked, int status, String header, String body) {
        String[] words = asked.split(" +", 2);
        return document.faults(new ActualRequest(words[0], "in/deep", words[1], ""), given(status, header, body));
    }

    private static ActualResponse given(int status, String header, String body) {
        Map<String, List<String>> headers = new TreeMap<>();
        headers.put("Content-Type", List.of("application/json"));
        if (header != null && !header.isEmpty()) {
            String[] parts = header.split("=", 2);
            headers.put(parts[0], List.of(parts[1]));
        }
        String json = body.matches("[a-z_]+") ? ERROR.formatted(body) : body;
        return new ActualResponse(status, headers, json.replace('\'', '"').replace("#", EVENT));
    }
}
