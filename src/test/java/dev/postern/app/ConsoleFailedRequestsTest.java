package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the list of failed requests: what a replay of each would lead to. */
class ConsoleFailedRequestsTest {

    private static final String PASSWORD = "a-password";
    private static final String TOKEN = "a-token-that-is-long-enough-01";

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
                  token: %s
                  allowedSessionKeyPrefixes: ["hook:"]
                  mappings:
                    - {id: shop, match: {path: shop}, messageTemplate: Order, sessionKey: '${payload.key}'}
                requests: {payloads: failed}
                console: viewer
                """
                        .formatted(TOKEN));
        server = new TomcatServer(directory.resolve("tomcat"));
        server.deploy("/postern", home);
        server.user("otto", PASSWORD, "postern-operator");
        server.start();
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Test
    void saysWhyPolicyWouldRejectAReplay() throws Exception {
        HttpResponse<String> rejected = server.post("/postern/hooks/shop", TOKEN, "{\"key\":\"elsewhere\"}");
        assertThat(rejected.body()).contains("session_key_prefix");
        String reason = new ObjectMapper().readTree(rejected.body()).path("error").asText();
        String id = rejected.headers().firstValue("X-Request-Id").orElseThrow();
        await().until(() -> failed("hook=shop").path("requests").size() == 1);

        JsonNode listed = failed("hook=shop").path("requests").path(0);
        JsonNode chosen =
                get("requests/selection?id=" + id).path("requests").path(0).path("now");

        for (JsonNode forecast : List.of(listed, chosen)) {
            assertThat(forecast.path("status").asInt()).isEqualTo(400);
            assertThat(forecast.path("mapping").asText()).isEqualTo("shop");
            assertThat(forecast.path("error").asText()).isNotEmpty().isEqualTo(reason);
            assertThat(forecast.path("actions").asInt(-1)).isZero();
        }
    }

    private static JsonNode failed(String query) throws Exception {
        return get("requests/failed?" + query);
    }

    private static JsonNode get(String place) throws Exception {
        return new ObjectMapper()
                .readTree(server.get("/postern/console/api/" + place, "otto", PASSWORD)
                        .body());
    }
}
