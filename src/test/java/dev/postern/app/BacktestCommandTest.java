package dev.postern.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.postern.config.ConfigurationLoader;
import dev.postern.config.ProcessEnvironment;
import dev.postern.ingress.HttpRequestFile;
import dev.postern.requests.KeptRequestFixture;
import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the command {@code backtest} on homes with real payloads. */
@Tag("long")
class BacktestCommandTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ORDER = "{id: order, match: {path: order}, messageTemplate: 'Order {{payload.n}}'%s}";
    private static final byte[] BODY = "{\"n\":7,\"who\":\"Zoe\"}".getBytes(UTF_8);

    @TempDir
    Path home;

    @TempDir
    Path elsewhere;

    private KeptRequestFixture requests;

    @BeforeEach
    void open() throws Exception {
        requests = KeptRequestFixture.at(home);
        write(home.resolve("postern.yaml"), ORDER.formatted(""));
    }

    @AfterEach
    void close() {
        requests.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void failsWhereTheResultCanNotBePrinted(boolean json) throws Exception {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exit;
        try (PrintStream full = new PrintStream(new FileOutputStream("/dev/full"))) {
            exit = BacktestCommand.run(
                    full, new PrintStream(err, true), json ? Map.of("json", "") : Map.of(), loader());
        }

        assertThat(exit).isEqualTo(2);
        assertThat(err.toString(UTF_8)).contains("problem: the result can't be printed");
    }

    @Test
    void refusesAChangedConfigurationThatIsInvalid() throws Exception {
        Path changed = elsewhere.resolve("new.yaml");
        write(changed, "{id: order, match: {path: order}, messageTemplate: '${payload.n?nonsense}'}");

        Result broken = run(Map.of("config", changed.toString()));
        Result missing = run(Map.of("config", elsewhere.resolve("none.yaml").toString()));

        assertThat(broken.exit()).isEqualTo(2);
        assertThat(broken.err()).contains("problem: ", "nonsense");
        assertThat(missing.exit()).isEqualTo(2);
        assertThat(missing.err()).contains("none.yaml", "can't be read: it does not exist");
        assertThat(broken.out() + missing.out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"since, yesterday, --since is [yesterday]", "mapping, ordr, did you mean order?"})
    void refusesAnOptionThatCanNotBe(String option, String value, String sentence) throws Exception {
        Result refused = run(Map.of(option, value));

        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err()).contains(sentence);
    }

    @Test
    void refusesAHomeWithoutADatabase() throws Exception {
        requests.close();
        Files.delete(home.resolve("data/postern.db"));

        Path changed = Files.writeString(elsewhere.resolve("new.yaml"), "hooks: {tokn: x}\n");

        for (Map<String, String> options : List.of(Map.<String, String>of(), Map.of("config", changed.toString()))) {
            Result refused = run(options);

            assertThat(refused.exit()).isEqualTo(2);
            assertThat(refused.err().lines()).singleElement().asString().contains("is not there yet");
        }
    }

    @Test
    void saysThatThePayloadsHaveAnotherKey() throws Exception {
        requests.accepted("order", Map.of(), BODY, "order");
        Files.writeString(home.resolve("secrets/payload-key"), "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE");

        Result blind = run(Map.of());

        assertThat(blind.exit()).isEqualTo(2);
        assertThat(blind.err()).contains("1 payload can't be decrypted", "encrypted with another key");
    }

    @Test
    void saysThatNoPayloadIsKept() throws Exception {
        Result nothing = run(Map.of());

        assertThat(nothing.exit()).isZero();
        assertThat(nothing.err()).contains("no payload of such a request is kept");
    }

    @Test
    void findsNoDifferenceInTheSameMappingAtAnotherPlace() throws Exception {
        requests.accepted("order", Map.of(), BODY, "order");
        requests.accepted("order", Map.of(), "{\"n\":".getBytes(UTF_8), "");

        Result same =
                changed("{id: first, match: {path: first}, messageTemplate: '{{now}}'}\n    - " + ORDER.formatted(""));

        assertThat(same.exit()).isZero();
        assertThat(same.out())
                .isEqualToNormalizingWhitespace("0 requests of 2 since " + since(same) + " would change.");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                ", agentId: ops           | actions[0].agentId     | main                          | ops",
                ", sessionKey: 'hook:{{n}}' | actions[0].sessionKey | (a new one for each request) | hook:7",
                ", model: offline/other   | actions[0].model       | offline/echo                  | offline/other",
                ", channel: inbox         | actions[0].channel     |                               | inbox",
                ", channel: inbox, to: me | actions[0].to          |                               | me",
                ", name: Shop             | actions[0].name        | Hook                          | Shop",
                ", deliver: false         | actions[0].deliver     |                               | false",
                ", timeoutSeconds: 9      | actions[0].timeoutSeconds | 600.0                      | 9.0",
                ", instructions: Be quick | actions[0].instructions |                              | Be quick",
                ", idempotencyKey: 'k{{n}}' | idempotencyKey         |                               | k7",
                ", action: wake           | actions[0].action      | agent                         | wake",
                ", coalesce: {key: k}    | coalesce.key           |                               | k",
            })
    void showsADifferenceOf(String settings, String field, String before, String after) throws Exception {
        requests.accepted("order", Map.of(), BODY, "order");

        String mapping = ORDER.formatted(settings);
        Result result =
                changed(settings.contains("wake") ? mapping.replace("messageTemplate", "textTemplate") : mapping);

        JsonNode difference = result.difference(field);
        assertThat(result.exit()).isEqualTo(1);
        assertThat(difference.path("before").asText("")).isEqualTo(before == null ? "" : before);
        assertThat(difference.path("after").asText("")).isEqualTo(after);
    }

    @Test
    void showsThatAnotherMappingOrNoneTakesTheRequest() throws Exception {
        requests.accepted("order", Map.of(), BODY, "order");

        Result none = changed(ORDER.formatted("").replace("path: order", "path: elsewhere"));
        Result other = changed(ORDER.formatted("").replace("id: order", "id: shop"));

        assertThat(none.difference("mapping").path("after").isNull()).isTrue();
        assertThat(none.difference("status").path("after").asText()).isEqualTo("404");
        assertThat(none.difference("code").path("after").asText()).isEqualTo("not_found");
        assertThat(other.difference("mapping").path("after").asText()).isEqualTo("shop");
        assertThat(other.differences()).hasSize(1);
    }

    @Test
    void showsTheErrorOfATemplateAndOfAPolicy() throws Exception {
        requests.accepted("order", Map.of(), BODY, "order");

        Result template = changed(ORDER.formatted("").replace("{{payload.n}}", "${payload.who?number}"));
        Result policy = changed(ORDER.formatted(", channel: '{{payload.who}}'"));

        assertThat(template.difference("status").path("after").asText()).isEqualTo("400");
        assertThat(template.difference("error").path("after").asText()).contains("Mapping [order], messageTemplate");
        assertThat(policy.difference("code").path("after").asText()).isEqualTo("invalid_payload");
        assertThat(policy.difference("field").path("after").asText()).isEqualTo("channel");
    }

    @Test
    void showsAMessageAsAUnifiedDiff() throws Exception {
        requests.accepted("order", Map.of(), BODY, "order");
        write(
                home.resolve("postern.yaml"),
                ORDER.formatted("").replace("'Order {{payload.n}}'", "\"a\\nb {{n}}\\nc\""));

        Result result = changed(ORDER.formatted("").replace("'Order {{payload.n}}'", "\"a\\nB {{n}}\\nc\""));

        assertThat(result.difference("actions[0].message").path("diff"))
                .extracting(JsonNode::asText)
                .containsExactly("--- before", "+++ after", "@@ -1,3 +1,3 @@", " a", "-b 7", "+B 7", " c");
        assertThat(result.out()).contains("  actions[0].message:\n    --- before\n");
    }

    @Test
    void showsNoTerminalCodesOfASender() throws Exception {
        requests.accepted("order", Map.of(), "{\"n\":\"\\u001b[2Jgone\\u202e\"}".getBytes(UTF_8), "order");

        Result result = changed(ORDER.formatted("").replace("Order", "New order"));

        assertThat(result.out()).contains("⟦U+001B⟧[2Jgone⟦U+202E⟧").doesNotContain("\u001b", "\u202e");
        assertThat(result.json().toString()).contains("gone");
    }

    @Test
    void comparesWithTheRequestLogWithoutAChangedConfiguration() throws Exception {
        requests.accepted("order", Map.of(), BODY, "order");
        String mended = requests.failed("order", BODY, "order", 400, "mapping_failed");
        requests.failed("order", BODY, "", 503, "overloaded");

        Result result = run(Map.of());

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.json().path("requests").asInt()).isEqualTo(3);
        assertThat(result.json().path("changes")).singleElement().satisfies(change -> {
            assertThat(change.path("requestId").asText()).isEqualTo(mended);
            assertThat(change.path("hook").asText()).isEqualTo("order");
        });
        assertThat(result.difference("status").path("before").asText()).isEqualTo("400");
        assertThat(result.difference("code").path("after").isNull()).isTrue();
    }

    @Test
    void findsNoDifferenceInHandshakes() throws Exception {
        requests.handshake("slack", Map.of(), "{\"type\":\"url_verification\",\"challenge\":\"c\"}".getBytes(UTF_8));
        requests.handshake(
                "eventgrid",
                Map.of("aeg-event-type", "SubscriptionValidation"),
                ("[{\"eventType\":\"Microsoft.EventGrid.SubscriptionValidationEvent\","
                                + "\"data\":{\"validationCode\":\"c\"}}]")
                        .getBytes(UTF_8));
        requests.handshake(
                "sns", Map.of(), "{\"Type\":\"SubscriptionConfirmation\",\"TopicArn\":\"arn\"}".getBytes(UTF_8));
        write(
                home.resolve("postern.yaml"),
                ORDER.formatted("") + "\n  presets: [slack, eventgrid, sns]\n  signingSecrets: {slack: secret}"
                        + "\n  sns: {topics: ['arn:aws:sns:eu-west-1:123456789012:a']}");

        Result result = run(Map.of());

        assertThat(result.json().path("changes")).isEmpty();
        assertThat(result.json().path("requests").asInt()).isEqualTo(3);
        assertThat(result.exit()).isZero();
    }

    @Test
    void looksAtTheRequestsOfOneMappingOfEitherSide() throws Exception {
        requests.accepted("order", Map.of(), BODY, "order");
        requests.accepted("shop", Map.of(), BODY, "shop");
        String mappings = ORDER.formatted("") + "\n    - " + ORDER.formatted("").replace("order", "shop");
        write(home.resolve("postern.yaml"), mappings);
        Path changed = elsewhere.resolve("new.yaml");
        write(changed, mappings.replace("Order", "New order"));

        Result one = run(Map.of("config", changed.toString(), "mapping", "shop"));

        assertThat(one.json().path("requests").asInt()).isEqualTo(1);
        assertThat(one.json().path("changes").get(0).path("hook").asText()).isEqualTo("shop");
    }

    @ParameterizedTest
    @ValueSource(strings = {"enabled: false", "enabled: true\n  maxBodyBytes: 5"})
    void showsRequestsThatHooksWouldNotTake(String settings) throws Exception {
        requests.accepted("order", Map.of(), BODY, "order");
        Path changed = elsewhere.resolve("new.yaml");
        write(changed, ORDER.formatted(""));
        Files.writeString(changed, Files.readString(changed).replace("enabled: true", settings));

        Result result = run(Map.of("config", changed.toString()));

        assertThat(result.difference("status").path("after").asText())
                .isEqualTo(settings.contains("false") ? "404" : "413");
    }

    @Test
    void callsAScriptWithTheTimeOfArrivalAndNeverSwitchesItOff() throws Exception {
        Files.createDirectories(home.resolve("hooks/transforms"));
        Files.writeString(
                home.resolve("hooks/transforms/t.js"),
                "export default () => ({name: 'n' + Date.now() + Math.random()});");
        Files.writeString(
                home.resolve("hooks/transforms/greedy.js"), "export default () => ({name: 'x'.repeat(100000000)});");
        for (int i = 0; i < 7; i++) {
            requests.accepted("order", Map.of(), BODY, "order");
        }
        write(home.resolve("postern.yaml"), ORDER.formatted(", transform: {module: t.js}"));

        Result same = changed(ORDER.formatted(", transform: {module: t.js}"));
        Path changed = elsewhere.resolve("greedy.yaml");
        write(changed, ORDER.formatted(", transform: {module: greedy.js}"));
        Output greedy = output(Map.of("config", changed.toString(), "json", "true"));

        assertThat(same.exit()).isZero();
        assertThat(JSON.readTree(greedy.out()).path("changes")).hasSize(7);
        assertThat(greedy.out()).doesNotContain("switched off");
    }

    /** The bar: of 140 real requests exactly those are listed which the new mapping takes, in under ten seconds. */
    @Test
    void listsExactlyTheChangedOnesOfRealRequests() throws Exception {
        List<String> expected = new ArrayList<>();
        int kept = 0;
        for (Path file : files(Path.of("src/test/resources/providers"), "request.http")) {
            HttpRequestFile request = HttpRequestFile.read(file);
            String id = requests.accepted(request.hook(), request.headers(), request.body(), request.hook());
            kept++;
            if (request.hook().equals("github")
                    && "issues".equals(request.headers().get("x-github-event"))) {
                expected.add(id);
            }
        }
        for (Path file : files(Path.of("src/test/resources/payloads"), ".json")) {
            if (kept < 140) {
                requests.accepted("order", Map.of(), Files.readAllBytes(file), "order");
                kept++;
            }
        }
        String presets = "\n  presets: [gmail, github, gitlab, stripe, slack, alertmanager, grafana, sentry, pagerduty,"
                + " jira, linear, cloudevents, eventgrid]";
        write(home.resolve("postern.yaml"), ORDER.formatted("") + presets);
        Path changed = elsewhere.resolve("new.yaml");
        write(
                changed,
                "{id: mine, match: {path: github, headers: {x-github-event: issues}}, messageTemplate: 'Issue'}\n    - "
                        + ORDER.formatted("") + presets);
        long start = System.nanoTime();

        Result result = run(Map.of("config", changed.toString()));

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20)); // run twice
        assertThat(expected).hasSizeGreaterThan(1);
        assertThat(result.json().path("requests").asInt()).isEqualTo(kept);
        assertThat(result.json().path("changes"))
                .extracting(change -> change.path("requestId").asText())
                .containsExactlyInAnyOrderElementsOf(expected); // two may be of the same millisecond
    }

    private static List<Path> files(Path directory, String end) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(end)).sorted().toList();
        }
    }

    private static void write(Path file, String mapping) throws IOException {
        Files.writeString(
                file,
                """
                requests: {payloads: all}
                agents: {list: [{id: main, default: true}, {id: ops}]}
                hooks:
                  enabled: true
                  token: a-token-that-is-long-enough-01
                  allowedSessionKeyPrefixes: ["hook:"]
                  mappings:
                    - %s
                """
                        .formatted(mapping));
    }

    /** The result of a backtest of the home against one whose mapping is {@code mapping}. */
    private Result changed(String mapping) throws Exception {
        Path changed = elsewhere.resolve("new.yaml");
        write(changed, mapping);
        return run(Map.of("config", changed.toString()));
    }

    private static String since(Result result) {
        return result.out().replaceFirst("(?s).*since (\\S+) .*", "$1").strip();
    }

    private Result run(Map<String, String> options) throws IOException {
        Map<String, String> json = new HashMap<>(options);
        json.put("json", "true");
        Output text = output(options);
        Output asJson = output(json);
        assertThat(asJson.exit()).as(text.err()).isEqualTo(text.exit());
        return new Result(
                text.exit(),
                text.out(),
                text.err(),
                asJson.out().isEmpty() ? JSON.nullNode() : JSON.readTree(asJson.out()));
    }

    private Output output(Map<String, String> options) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exit = BacktestCommand.run(
                new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), options, loader());
        return new Output(exit, out.toString(UTF_8), err.toString(UTF_8));
    }

    private ConfigurationLoader loader() {
        return new ConfigurationLoader(new ProcessEnvironment(
                name -> Optional.empty(),
                name -> Optional.empty(),
                Map.of("postern.home", home.toString()),
                Map.of(),
                home.toString(),
                () -> ZoneOffset.UTC));
    }

    private record Output(int exit, String out, String err) {}

    private record Result(int exit, String out, String err, JsonNode json) {

        JsonNode differences() {
            return json.path("changes").path(0).path("differences");
        }

        JsonNode difference(String field) {
            for (JsonNode difference : differences()) {
                if (difference.path("field").asText().equals(field)) {
                    return difference;
                }
            }
            throw new AssertionError("no difference of " + field + " in " + json + err);
        }
    }
}
