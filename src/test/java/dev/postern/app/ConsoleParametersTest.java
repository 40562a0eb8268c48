package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of query parameters of the console that a program has got wrong. */
class ConsoleParametersTest {

    private static final String NAME = "otto";

    @TempDir
    static Path directory;

    private static TomcatServer server;

    @BeforeAll
    static void start() throws Exception {
        server = TomcatServer.withConsole(
                directory,
                """
                hooks:
                  enabled: true
                  token: a-token-that-is-long-enough-01
                """);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @ParameterizedTest
    @CsvSource({
        "runs?status=failed&status=queued, status",
        "runs?status=failed&status=failed, status",
        "runs?hook=a&status=failed&hook=, hook",
        "requests?text=a&text=b, text",
        "overview?range=1h&range=1d, range",
        "deliveries?before=1&before=2, before"
    })
    void rejectsAParameterThatIsSentTwice(String call, String name) throws Exception {
        HttpResponse<String> rejected = program(call);

        assertThat(rejected.statusCode()).isEqualTo(400);
        assertThat(rejected.body())
                .contains(
                        "\"error\":\"The query parameter " + name + " is sent more than once. Send it once.\"",
                        "\"code\":\"invalid_parameter\"");
    }

    @Test
    void rejectsAParameterThatIsSentTwiceWithAnAction() throws Exception {
        HttpResponse<String> rejected = server.post(
                "/postern/console/api/requests/replay?hook=a&hook=b&since=2026-01-31T14:00:00Z&until=2026-01-31T15:00:00Z",
                NAME,
                TomcatServer.PASSWORD,
                "{}");

        assertThat(rejected.statusCode()).isEqualTo(400);
        assertThat(rejected.body()).contains("The query parameter hook is sent more than once.");
    }

    @Test
    void rejectsALoginFormThatCannotBeRead() throws Exception {
        HttpRequest form = HttpRequest.newBuilder(server.at("/postern/console/login"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("name=" + NAME + "&password=b%"))
                .build();

        HttpResponse<String> rejected = HttpClient.newHttpClient().send(form, BodyHandlers.ofString());

        assertThat(rejected.statusCode()).isEqualTo(400);
        assertThat(rejected.body()).contains("The form can&#39;t be read. In it, % begins an escape.");
    }

    @Test
    void takesAListWithAParameterForEachValue() throws Exception {
        HttpResponse<String> preview = program("requests/selection?id=req_none&id=req_no_other");

        assertThat(preview.statusCode()).isEqualTo(200);
        assertThat(preview.body()).contains("req_none", "req_no_other");
    }

    @Test
    void showsAPageWhateverItsAddressRepeats() throws Exception {
        assertThat(page("runs?status=failed&status=queued").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({
        "runs, x, run",
        "runs, run_, run",
        "runs, req_01k0000000000000000000000a, run",
        "runs, run_01k0000000000000000000000ab, run",
        "audit, zz, act",
        "audit, run_01k0000000000000000000000a, act",
        "approvals, zz, apr",
        "requests, zz, req"
    })
    void rejectsABeforeThatIsNoIdOfTheList(String list, String before, String prefix) throws Exception {
        String sentence = "before is not an id of the form " + prefix
                + "_ and 26 characters. Send the field older of the previous page.";

        HttpResponse<String> rejected = program(list + "?before=" + before);

        assertThat(rejected.statusCode()).isEqualTo(400);
        assertThat(rejected.body()).contains("\"error\":\"" + sentence + "\"", "\"code\":\"invalid_parameter\"");
        assertThat(page(list + "?before=" + before).statusCode()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "runs?before=run_01k0000000000000000000000a",
                "audit?before=act_01k0000000000000000000000a",
                "approvals?before=apr_01k0000000000000000000000a",
                "requests?before=req_01k0000000000000000000000a",
                "runs?before=",
                "audit?before="
            })
    void takesAnIdOfTheListAndNone(String call) throws Exception {
        assertThat(program(call).statusCode()).isEqualTo(200);
        assertThat(page(call).statusCode()).isEqualTo(200);
    }

    private static HttpResponse<String> program(String call) throws Exception {
        return server.get("/postern/console/api/" + call, NAME, TomcatServer.PASSWORD);
    }

    private static HttpResponse<String> page(String call) throws Exception {
        HttpClient browser = server.loggedIn(NAME, TomcatServer.PASSWORD);
        HttpRequest request =
                HttpRequest.newBuilder(server.at("/postern/console/" + call)).build();
        return browser.send(request, BodyHandlers.ofString());
    }
}
