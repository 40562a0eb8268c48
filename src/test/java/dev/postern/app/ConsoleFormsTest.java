package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of forms of the console: what is said about their act, and what happens after their login has ended. */
class ConsoleFormsTest {

    private static final String NAME = "otto";
    private static final String ACT = "approvals/apr_none/approve";
    private static final String ENDED = "Your login had ended; nothing was done.";
    private static final Pattern TOKEN = Pattern.compile("name=\"csrf\" value=\"([0-9a-f]+)\"");
    private static final Pattern NEXT = Pattern.compile("name=\"next\" value=\"([^\"]*)\"");

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
    @ValueSource(
            strings = {
                "",
                "approvals",
                "approvals?undecided=true",
                "runs?status=failed,timed_out",
                "requests?since=2026-11-27T23:25:33.25Z",
                "requests/failed?hook=github/a~b",
                "requests/req_01k0000000000000000000000a",
                "requests/req_01k0000000000000000000000a/payload"
            })
    void tellsThatNothingWasDoneAndLeadsBackToThePageOfTheForm(String page) throws Exception {
        HttpClient browser = server.loggedIn(NAME, TomcatServer.PASSWORD);
        String token = found(TOKEN, server.page(browser, ""));
        post(browser, "logout", "csrf=" + token, page);

        HttpResponse<String> refused = post(browser, ACT, "csrf=" + token, page);

        assertThat(refused.statusCode()).isEqualTo(303);
        String login = server.page(browser, belowConsole(refused));
        assertThat(login).contains("<p class=\"problem\" role=\"alert\">" + ENDED + "</p>");
        HttpResponse<String> loggedIn = post(browser, "login", credentials() + encoded(found(NEXT, login)), "login");
        assertThat(belowConsole(loggedIn)).isEqualTo(page);
        assertThat(server.page(browser, "audit")).doesNotContain("approvals/approve");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://evil.example/postern/console/approvals",
                "https://evil.example/",
                "/postern/console//evil.example/",
                "/postern/console/%2Fevil.example",
                "/postern/elsewhere",
                "/postern/console/approvals/apr_none/approve",
                "/postern/console/login?next=runs/"
            })
    void leadsToTheOverviewFromAnyOtherReferer(String referer) throws Exception {
        HttpClient browser = HttpClient.newHttpClient();

        HttpResponse<String> refused =
                send(browser, ACT, "", server.at("/").resolve(referer).toString());

        String login = server.page(browser, belowConsole(refused));
        assertThat(login).contains(ENDED);
        HttpResponse<String> loggedIn = post(browser, "login", credentials() + encoded(found(NEXT, login)), "login");
        assertThat(belowConsole(loggedIn)).isEmpty();
    }

    @Test
    void tellsNothingOfTheKindWhereAPageNeedsTheLogin() throws Exception {
        HttpClient browser = HttpClient.newHttpClient();
        HttpRequest page =
                HttpRequest.newBuilder(server.at("/postern/console/approvals")).build();

        String login = server.page(browser, belowConsole(browser.send(page, BodyHandlers.ofString())));

        assertThat(login).doesNotContain(ENDED);
        assertThat(found(NEXT, login)).isEqualTo("approvals");
    }

    @Test
    void tellsTheResultOfAnActOnTheNextPageAndNotInAnUpdateOfAnother() throws Exception {
        HttpClient browser = server.loggedIn(NAME, TomcatServer.PASSWORD);
        String token = found(TOKEN, server.page(browser, ""));
        assertThat(post(browser, "agents/main/beat", "csrf=" + token, "").statusCode())
                .isEqualTo(303);

        HttpRequest update = HttpRequest.newBuilder(server.at("/postern/console/runs"))
                .header("HX-Request", "true")
                .build();
        assertThat(browser.send(update, BodyHandlers.ofString()).body()).doesNotContain("class=\"word\"");
        assertThat(server.page(browser, "")).contains("class=\"word\"");
        assertThat(server.page(browser, "")).doesNotContain("class=\"word\"");
    }

    @Test
    void leadsFromAFormOfAnEarlierLoginToItsPage() throws Exception {
        HttpClient browser = server.loggedIn(NAME, TomcatServer.PASSWORD);

        HttpResponse<String> rejected =
                post(browser, ACT, "csrf=0123456789abcdef", "approvals?undecided=true&before=%22%3E");

        assertThat(rejected.statusCode()).isEqualTo(403);
        assertThat(rejected.body())
                .contains("Nothing was done. The form has expired, or came from another site. Open the page again.")
                .contains(
                        "<a href=\"/postern/console/approvals?undecided=true&amp;before=%22%3E\">Back to the page</a>");
    }

    @Test
    void offersNoPageOfAnotherSite() throws Exception {
        HttpClient browser = server.loggedIn(NAME, TomcatServer.PASSWORD);

        HttpResponse<String> rejected = send(browser, ACT, "csrf=0123456789abcdef", "https://evil.example/approvals");

        assertThat(rejected.statusCode()).isEqualTo(403);
        assertThat(rejected.body())
                .contains("Nothing was done.", "Back to the overview")
                .doesNotContain("Back to the page", "evil.example");
    }

    private static HttpResponse<String> post(HttpClient browser, String place, String form, String page)
            throws IOException, InterruptedException {
        return send(browser, place, form, server.at("/postern/console/" + page).toString());
    }

    private static HttpResponse<String> send(HttpClient browser, String place, String form, String referer)
            throws IOException, InterruptedException {
        return browser.send(
                HttpRequest.newBuilder(server.at("/postern/console/" + place))
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .header("Referer", referer)
                        .POST(BodyPublishers.ofString(form))
                        .build(),
                BodyHandlers.ofString());
    }

    /** The address below the console to which {@code response} leads. */
    private static String belowConsole(HttpResponse<String> response) {
        URI place =
                server.at("/").resolve(response.headers().firstValue("Location").orElseThrow());
        String console = server.at("/postern/console/").toString();
        assertThat(place.toString()).startsWith(console);
        return place.toString().substring(console.length());
    }

    private static String credentials() {
        return "name=" + NAME + "&password=" + TomcatServer.PASSWORD + "&next=";
    }

    private static String found(Pattern pattern, String page) {
        Matcher matcher = pattern.matcher(page);
        assertThat(matcher.find()).isTrue();
        return matcher.group(1);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
