package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.CookieManager;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of access to pages and actions: without a login, without a role of ours, as viewer and as operator. */
class ConsoleRolesTest {

    private static final Pattern TOKEN = Pattern.compile("name=\"csrf\" value=\"([0-9a-f]+)\"");

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
                  throttle: {failures: 1000}
                  presets: [github, gitlab, stripe, slack, alertmanager, grafana, sentry, pagerduty, jira, linear, gmail, cloudevents, eventgrid]
                console: viewer
                """);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    /** An operator gets 404 for an unknown id; a user who may not act gets 403, and does not learn that. */
    @ParameterizedTest(name = "{0}: nobody {1}, no role {2}, viewer {3}, operator {4}")
    @CsvSource({
        "GET  overview,                    401, 403, 200, 200",
        "GET  hooks,                       401, 403, 200, 200",
        "GET  senders,                     401, 403, 200, 200",
        "GET  requests,                    401, 403, 200, 200",
        "GET  runs,                        401, 403, 200, 200",
        "GET  runs/run_none,               401, 403, 404, 404",
        "GET  sessions,                    401, 403, 200, 200",
        "GET  session,                     401, 403, 400, 400",
        "GET  session?key=main:main,       401, 403, 200, 200",
        "GET  session?key=main:none,       401, 403, 404, 404",
        "GET  deliveries,                  401, 403, 200, 200",
        "GET  inbox,                       401, 403, 200, 200",
        "GET  try,                         401, 403, 200, 200",
        "POST try,                         401, 403, 200, 200",
        "GET  audit,                       401, 403, 200, 200",
        "GET  settings,                    401, 403, 200, 200",
        "POST runs/run_none/again,         401, 403, 403, 404",
        "POST runs/run_none/cancel,        401, 403, 403, 404",
        "POST deliveries/dlv_none/again,   401, 403, 403, 404",
        "POST deliveries/dlv_none/abandon, 401, 403, 403, 404",
        "POST agents/none/beat,            401, 403, 403, 404",
        "POST events/evt_none/discard,     401, 403, 403, 404",
        "POST clients/192.0.2.1/unlock,    401, 403, 403, 409",
        "POST clients/unlock,              401, 403, 403, 400",
        "GET  runs/run_none/cancel,        401, 403, 404, 404",
        "GET  elsewhere,                   401, 403, 404, 404",
        "POST elsewhere,                   401, 403, 404, 404",
        "POST runs,                        401, 403, 404, 404",
        "PUT  runs,                        405, 405, 405, 405",
    })
    void answersProgramsByTheirUsersRole(String call, int nobody, int stranger, int viewer, int operator)
            throws Exception {
        String method = call.substring(0, 4).strip();
        String place = call.substring(5).strip();

        assertThat(List.of(
                        program(method, place, null),
                        program(method, place, "nora"),
                        program(method, place, "vera"),
                        program(method, place, "otto")))
                .containsExactly(nobody, stranger, viewer, operator);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "hooks",
                "senders",
                "spending",
                "requests",
                "runs",
                "sessions",
                "session?key=main:main",
                "deliveries",
                "inbox",
                "try",
                "audit",
                "nodes",
                "settings"
            })
    void showsPagesToBothRolesAndSendsOthersToTheLogin(String place) throws Exception {
        assertThat(get(browser(), place).statusCode()).isEqualTo(303);
        assertThat(get(loggedIn("vera"), place).statusCode()).isEqualTo(200);
        assertThat(get(loggedIn("otto"), place).statusCode()).isEqualTo(200);
    }

    @Test
    void letsNobodyInWithoutARole() throws Exception {
        HttpResponse<String> answer = logIn(browser(), "nora");

        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(answer.body()).contains("postern-viewer, postern-operator");
        assertThat(answer.headers().firstValue("Set-Cookie")).isEmpty();
    }

    @Test
    void takesFormsWithThePagesOwnTokenAlone() throws Exception {
        HttpClient vera = loggedIn("vera");
        String other = token(loggedIn("vera"));
        String form = "hook=wake&payload=%7B%7D&csrf=";

        assertThat(post(browser(), "try", form).statusCode()).isEqualTo(303);
        assertThat(post(vera, "try", "hook=wake&payload=%7B%7D").statusCode()).isEqualTo(403);
        assertThat(post(vera, "try", form).statusCode()).isEqualTo(403);
        assertThat(post(vera, "try", form + other).statusCode()).isEqualTo(403);
        assertThat(post(vera, "try", form + token(vera)).statusCode()).isEqualTo(200);
    }

    /** Checks a JSON body with the content type of a form, which curl sends by default. */
    @Test
    void takesTheJsonOfProgramsThatCallItAForm() throws Exception {
        String credentials = "vera:" + TomcatServer.PASSWORD;
        HttpRequest request = HttpRequest.newBuilder(server.at("/postern/console/api/try"))
                .header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8)))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("{\"hook\":\"wake\",\"payload\":{\"text\":\"built\"}}"))
                .build();

        assertThat(browser().send(request, BodyHandlers.ofString()).body()).contains("\"status\":200", "built");
    }

    @Test
    void shipsSamplesThatTheirHooksTake() throws Exception {
        HttpClient vera = loggedIn("vera");
        String form = get(vera, "try").body();
        Matcher sample = Pattern.compile("<option>([^<]+)</option>").matcher(form);
        int count = 0;
        while (sample.find()) {
            String filled = get(vera, "try?sample=" + encoded(sample.group(1))).body();
            String told = post(
                            vera,
                            "try",
                            "csrf=" + token(vera) + "&hook="
                                    + encoded(field(filled, "name=\"hook\" value=\"([^\"]*)\""))
                                    + "&headers=" + encoded(field(filled, "name=\"headers\"[^>]*>([^<]*)<"))
                                    + "&payload=" + encoded(field(filled, "name=\"payload\"[^>]*>([^<]*)<")))
                    .body();
            assertThat(told).as(sample.group(1)).containsPattern("Response: 20[02]");
            count++;
        }
        assertThat(count).isEqualTo(13);
    }

    private static String field(String page, String pattern) {
        Matcher field = Pattern.compile(pattern).matcher(page);
        assertThat(field.find()).isTrue();
        return field.group(1)
                .replace("&quot;", "\"")
                .replace("&#39;", "'")
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&amp;", "&");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static int program(String method, String place, String user) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.at("/postern/console/api/" + place))
                .method(method, method.equals("GET") ? BodyPublishers.noBody() : BodyPublishers.ofString("{}"));
        if (user != null) {
            String credentials = user + ":" + TomcatServer.PASSWORD;
            request.header(
                    "Authorization",
                    "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8)));
        }
        return browser().send(request.build(), BodyHandlers.discarding()).statusCode();
    }

    private static HttpClient browser() {
        return HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
    }

    private static HttpClient loggedIn(String user) throws Exception {
        return server.loggedIn(user, TomcatServer.PASSWORD);
    }

    private static HttpResponse<String> logIn(HttpClient browser, String user) throws Exception {
        return post(browser, "login", "name=" + user + "&password=" + TomcatServer.PASSWORD);
    }

    private static String token(HttpClient browser) throws Exception {
        Matcher token = TOKEN.matcher(get(browser, "").body());
        assertThat(token.find()).isTrue();
        return token.group(1);
    }

    private static HttpResponse<String> get(HttpClient browser, String place) throws IOException, InterruptedException {
        return browser.send(
                HttpRequest.newBuilder(server.at("/postern/console/" + place)).build(), BodyHandlers.ofString());
    }

    private static HttpResponse<String> post(HttpClient browser, String place, String form)
            throws IOException, InterruptedException {
        return browser.send(
                HttpRequest.newBuilder(server.at("/postern/console/" + place))
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(BodyPublishers.ofString(form))
                        .build(),
                BodyHandlers.ofString());
    }
}
