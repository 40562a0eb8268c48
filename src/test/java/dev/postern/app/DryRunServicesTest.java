package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.acceptance.DeliveryLookup;
import dev.postern.config.ConfigurationFixture;
import dev.postern.ingress.ExplanationJson;
import dev.postern.model.HookRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of trials whose script uses too much, more often than a running Postern would call it. */
class DryRunServicesTest {

    private static final int TRIALS = 8;
    private static final String RECURSION = "function f(n) { return f(n + 1) + 1 } export default () => f(0)";

    @TempDir
    Path home;

    @ParameterizedTest
    @CsvSource(
            delimiterString = "||",
            value = {
                RECURSION + "||called itself too deeply",
                "export default () => { for (let text = 'x';;) text = text.repeat(1000) }||used more memory than it may"
            })
    void tellsEachTimeWhyTheScriptWasEnded(String script, String why) throws Exception {
        ConfigurationFixture fixture = fixture(script, 1);

        try (DryRunServices trials = DryRunServices.of(fixture.settings(), DeliveryLookup.none(), "test")) {
            HookRequest request = trials.request("r0", "{}".getBytes(StandardCharsets.UTF_8), Map.of(), Map.of(), null);
            List<String> explanations = IntStream.range(0, TRIALS)
                    .mapToObj(trial -> ExplanationJson.of(trials.preview().explain(request))
                            .toString())
                    .toList();

            assertThat(explanations)
                    .allSatisfy(explanation -> assertThat(explanation).contains("[r.js] " + why));
        }
    }

    @Test
    void checkingTellsOfEachSampleWhyTheScriptWasEnded() throws Exception {
        assertThat(CheckCommand.of(fixture(RECURSION, TRIALS).load()).problems())
                .hasSize(TRIALS)
                .allSatisfy(problem -> assertThat(problem).contains("[r.js] called itself too deeply"));
    }

    private ConfigurationFixture fixture(String script, int mappings) throws IOException {
        Path transforms = Files.createDirectories(home.resolve("hooks/transforms"));
        Files.writeString(transforms.resolve("r.js"), script);
        Files.writeString(home.resolve("sample.json"), "{}");
        return ConfigurationFixture.yaml(
                home,
                "hooks:\n  enabled: true\n  token: a-token-that-is-long-enough-01\n  mappings:\n"
                        + IntStream.range(0, mappings)
                                .mapToObj(n ->
                                        "    - {id: r%d, match: {path: r%d}, sample: sample.json, transform: {module: r.js}}\n"
                                                .formatted(n, n))
                                .collect(Collectors.joining()));
    }
}
