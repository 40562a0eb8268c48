package dev.postern.ingress;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.config.MappingSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The results of the presets for real requests. Each folder of {@code src/test/resources/providers} holds a request as
 * it is sent and the output of {@code explain} for it.
 */
class ProvidersTest {

    private static final Path PROVIDERS = Path.of("src/test/resources/providers");
    private static final ObjectMapper JSON = new ObjectMapper();

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

    static Stream<Path> cases() throws IOException {
        try (Stream<Path> files = Files.walk(PROVIDERS)) {
            List<Path> cases = files.filter(file -> file.endsWith("request.http"))
                    .map(file -> PROVIDERS.relativize(file.getParent()))
                    .sorted()
                    .toList();
            return cases.stream();
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void mapsRequestAsItsFixtureSays(Path name) throws IOException {
        HttpRequestFile request = HttpRequestFile.read(PROVIDERS.resolve(name).resolve("request.http"));
        ObjectNode expected = (ObjectNode)
                JSON.readTree(PROVIDERS.resolve(name).resolve("expected.json").toFile());

        ObjectNode actual = presets.explain(request);

        actual.remove(List.of("where", "passedOver", "policy", "micros"));
        assertThat(actual.toPrettyString()).isEqualTo(expected.toPrettyString());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void keepsMessagesShortAndSessionsWithinTheirBounds(Path name) throws IOException {
        ObjectNode explained =
                presets.explain(HttpRequestFile.read(PROVIDERS.resolve(name).resolve("request.http")));

        explained.withArray("actions").forEach(action -> {
            assertThat(action.path("message").asText("")).hasSizeLessThan(4_000);
            assertThat(action.path("sessionKey").asText("hook:")).startsWith("hook:");
        });
        assertThat(explained.withArray("policy"))
                .allSatisfy(judged -> assertThat(judged.has("error")).isFalse());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void findsEverySignatureRight(Path name) throws IOException {
        HttpRequestFile request = HttpRequestFile.read(PROVIDERS.resolve(name).resolve("request.http"));

        assertThat(presets.isSigned(request)).isNotEqualTo(Optional.of(false));
    }

    @Test
    void hasASignedCaseOfEverySenderThatSigns() throws IOException {
        Set<String> signed = new TreeSet<>();
        for (Path name : cases().toList()) {
            HttpRequestFile request =
                    HttpRequestFile.read(PROVIDERS.resolve(name).resolve("request.http"));
            presets.isSigned(request).ifPresent(right -> signed.add(request.hook()));
        }

        assertThat(signed)
                .containsExactlyInAnyOrder(
                        "github",
                        "gitlab",
                        "grafana",
                        "jira",
                        "linear",
                        "pagerduty",
                        "sentry",
                        "slack",
                        "sns",
                        "stripe");
    }

    @Test
    void hasThreeCasesOfEachPreset() throws IOException {
        Map<String, Long> counts =
                cases().collect(Collectors.groupingBy(name -> name.getName(0).toString(), Collectors.counting()));

        assertThat(counts.keySet()).containsExactlyInAnyOrderElementsOf(PresetFixture.NAMES);
        assertThat(counts.values()).allSatisfy(count -> assertThat(count).isGreaterThanOrEqualTo(3));
    }

    @Test
    void usesEveryMappingOfEveryPreset() throws IOException {
        Set<String> used = new TreeSet<>();
        for (Path name : cases().toList()) {
            used.add(
                    presets.explain(HttpRequestFile.read(PROVIDERS.resolve(name).resolve("request.http")))
                            .path("mapping")
                            .asText());
        }

        assertThat(used)
                .containsAll(
                        presets.mappings().stream().map(MappingSettings::id).toList());
    }
}
