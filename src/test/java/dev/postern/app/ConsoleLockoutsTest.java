package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.catalina.valves.RemoteIpValve;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the end of a lock-out, for clients behind a proxy that forwards their addresses. */
class ConsoleLockoutsTest {

    private static final String PASSWORD = "a-password";
    private static final String NETWORK = "2001:db8:7:3::/64";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @TempDir
    static Path directory;

    private static TomcatServer server;

    @BeforeAll
    static void start() throws Exception {
        Path home = Files.createDirectory(directory.resolve("home"));
        Files.writeString(
                home.resolve("postern.yaml"),
                """
                hooks:
                  enabled: true
                  token: a-token-that-is-long-enough-01
                  throttle: {failures: 1}
                console: viewer
                """);
        server = new TomcatServer(directory.resolve("tomcat"));
        server.deploy("/postern", home).getPipeline().addValve(new RemoteIpValve());
        server.user("otto", PASSWORD, "postern-operator");
        server.start();
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @ParameterizedTest
    @CsvSource({
        "198.51.100.7,    clients/198.51.100.7/unlock,      198.51.100.7",
        "2001:db8:7:1::9, clients/2001:db8:7:1::/64/unlock, 2001:db8:7:1::/64",
        "2001:db8:7:2::9, clients/2001:db8:7:2::9/unlock,   2001:db8:7:2::/64",
    })
    void unlocksTheClientThatThePathNames(String client, String path, String listed) throws Exception {
        lockOut(client);
        assertThat(clients()).contains("\"" + listed + "\"");

        HttpResponse<String> response = post(path, "{}");

        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        assertThat(clients()).doesNotContain("\"" + listed + "\"");
    }

    @Test
    void unlocksTheClientThatTheBodyNames() throws Exception {
        lockOut("2001:db8:7:3::9");

        HttpResponse<String> response = post("clients/unlock", "{\"address\":\"" + NETWORK + "\"}");

        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        assertThat(message(response, "message")).isEqualTo(NETWORK + " is unlocked.");
        assertThat(clients()).doesNotContain(NETWORK);
        assertThat(get("audit")).contains("clients/unlock", NETWORK);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"address\":7}", "{\"address\":\" \"}", "{\"address\":null}"})
    void namesTheAddressThatABodyLacks(String body) throws Exception {
        HttpResponse<String> response = post("clients/unlock", body);

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(message(response, "error")).startsWith("address is missing");
    }

    @Test
    void refusesToUnlockAClientThatIsNotLockedOut() throws Exception {
        assertThat(post("clients/2001:db8:8::/64/unlock", "{}").statusCode()).isEqualTo(409);
        assertThat(post("clients/unlock", "{\"address\":\"2001:db8:8::/64\"}").statusCode())
                .isEqualTo(409);
    }

    private static void lockOut(String client) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(server.at("/postern/hooks/wake"))
                .header("Authorization", "Bearer guessed")
                .header("X-Forwarded-For", client)
                .POST(BodyPublishers.ofString("{}"))
                .build();
        assertThat(CLIENT.send(request, BodyHandlers.discarding()).statusCode()).isEqualTo(401);
    }

    private static String clients() throws Exception {
        return JSON.readTree(get("settings")).path("clients").toString();
    }

    private static String message(HttpResponse<String> response, String member) throws Exception {
        JsonNode json = JSON.readTree(response.body());
        return json.path(member).asText();
    }

    private static String get(String place) throws Exception {
        return server.get("/postern/console/api/" + place, "otto", PASSWORD).body();
    }

    private static HttpResponse<String> post(String place, String json) throws Exception {
        return server.post("/postern/console/api/" + place, "otto", PASSWORD, json);
    }
}
