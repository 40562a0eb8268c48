package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the check of the configuration in the console, while its files change. */
class ConsoleSettingsCheckTest {

    private static final String CONFIGURATION =
            """
            hooks:
              enabled: true
              token: a-token-that-is-long-enough-01
              mappings:
                - {id: shop, match: {path: shop}, messageTemplate: 'Order ${payload.n}'}
            """;

    @TempDir
    Path directory;

    private Path file;
    private TomcatServer server;

    @BeforeEach
    void start() throws Exception {
        server = TomcatServer.withConsole(directory, CONFIGURATION);
        file = directory.resolve("home/postern.yaml");
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    @Test
    void checksTheFilesAsTheyAreNow() throws Exception {
        assertThat(problems(check(), "findings")).isEmpty();

        Files.writeString(file, CONFIGURATION.replace("payload.n", "payload.n?nonsense"));
        assertThat(problems(check(), "findings")).contains("nonsense");

        Files.writeString(file, CONFIGURATION.replace("enabled", "enabeld"));
        JsonNode unreadable = check();
        assertThat(problems(unreadable, "findings")).contains("enabeld");
        assertThat(problems(unreadable, "next")).contains("enabeld");

        Files.writeString(file, CONFIGURATION);
        JsonNode mended = check();
        assertThat(problems(mended, "findings")).isEmpty();
        assertThat(problems(mended, "next")).isEmpty();
    }

    @Test
    void tellsWhenItChecked() throws Exception {
        Instant before = Instant.now().truncatedTo(ChronoUnit.MILLIS);

        JsonNode checked = check();

        assertThat(Instant.parse(checked.path("checkedAt").asText())).isBetween(before, Instant.now());
        assertThat(settings("").has("checkedAt")).isFalse();
        assertThat(settings("").has("findings")).isFalse();
    }

    private static String problems(JsonNode settings, String member) {
        JsonNode problems = settings.path(member).path("problems");
        assertThat(problems.isArray()).isTrue();
        return problems.isEmpty() ? "" : problems.toString();
    }

    private JsonNode check() throws Exception {
        return settings("?check=now");
    }

    private JsonNode settings(String query) throws Exception {
        return new ObjectMapper()
                .readTree(server.get("/postern/console/api/settings" + query, "vera", TomcatServer.PASSWORD)
                        .body());
    }
}
