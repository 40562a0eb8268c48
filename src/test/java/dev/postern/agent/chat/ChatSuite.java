package dev.postern.agent.chat;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import com.github.tomakehurst.wiremock.stubbing.Scenario;
import com.github.tomakehurst.wiremock.stubbing.ServeEvent;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import dev.postern.agent.Cutoff;
import dev.postern.agent.Transcript.Line;
import dev.postern.agent.Transcript.Role;
import dev.postern.agent.TurnOutcome;
import dev.postern.agent.TurnOutcome.Failed;
import dev.postern.agent.TurnOutcome.Interrupted;
import dev.postern.agent.TurnOutcome.Replied;
import dev.postern.agent.TurnOutcome.TimedOut;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for every kind of provider, tried on a server that speaks its published API. */
abstract class ChatSuite {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final WireMockServer server = new WireMockServer(WireMockConfiguration.options()
            .dynamicPort()
            .bindAddress("127.0.0.1")
            .jettyStopTimeout(1L));

    @BeforeEach
    void start() {
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop();
    }

    abstract String kind();

    /** What requests are sent to. */
    abstract String path();

    /** The header that carries the key, with its value. */
    abstract String[] keyHeader();

    /** An answer that says {@code text}, for 11 tokens in and 7 out. */
    abstract String reply(String text);

    /** A reply whose end was cut off at the output limit. */
    abstract String cutReply(String text);

    /** An answer that says nothing at all. */
    abstract String empty();

    /** An answer with thoughts beside the {@code text}. */
    abstract String thoughtful(String thought, String text);

    /** An answer that calls {@code weather} for Rome and for Oslo. */
    abstract String toolCalls();

    /** A request with instructions {@code Be brief.}, a past of {@code Hi}, {@code Hello}, and {@code How are you?}. */
    abstract String request();

    /** {@code What is …?} with the tool {@code weather}, and after it the calls and their results. */
    abstract String requestWithResults();

    /** An error as this provider words it, for a model that does not think. */
    abstract String thinkingRefused();

    /** The part of a request that asks for thinking, as JSON; an empty object for none. */
    abstract String thinkingIn(JsonNode request);

    @Test
    void asksInTheProvidersOwnWords() throws Exception {
        answers(ok(reply("Fine.")));

        TurnOutcome outcome = turn().instructions("Be brief.")
                .history(new Line(Role.USER, "Hi"), new Line(Role.ASSISTANT, "Hello"))
                .message("How are you?")
                .taken();

        assertThat(outcome).isEqualTo(new Replied("Fine."));
        LoggedRequest request = requests().get(0);
        assertThat(request.getUrl()).isEqualTo(path());
        assertThat(request.getHeader(keyHeader()[0])).isEqualTo(keyHeader()[1]);
        assertThat(request.getHeader("Content-Type")).isEqualTo("application/json");
        assertThat(request.getHeaders().keys()).noneMatch(name -> name.equalsIgnoreCase("Upgrade"));
        assertThat(body(0)).isEqualTo(JSON.readTree(request()));
    }

    @Test
    void leavesOutWhatSaysNothing() throws Exception {
        answers(ok(reply("Fine.")));

        TurnOutcome outcome = turn().instructions(" ")
                .history(new Line(Role.USER, "Hi"), new Line(Role.ASSISTANT, " "))
                .taken();

        assertThat(outcome).isEqualTo(new Replied("Fine."));
        assertThat(body(0).findValuesAsText("role")).doesNotContain("system", "assistant", "model");
    }

    @Test
    void sendsNoKeyWhereNoneIsConfigured() {
        answers(ok(reply("Fine.")));

        assertThat(turn().withoutKey().taken()).isEqualTo(new Replied("Fine."));
        assertThat(requests().get(0).getHeaders().keys())
                .noneMatch(name -> name.equalsIgnoreCase(keyHeader()[0]) || name.equalsIgnoreCase("Authorization"));
    }

    @Test
    void writesDownWhatWasUsed() {
        answers(ok(reply(" Fine.\\n")));
        Turn turn = turn();

        assertThat(turn.taken()).isEqualTo(new Replied("Fine."));
        assertThat(turn.record().inputTokens()).isEqualTo(11);
        assertThat(turn.record().outputTokens()).isEqualTo(7);
        assertThat(turn.record().finishReason()).isEqualTo("stop");
        assertThat(turn.record().notes()).isEmpty();
    }

    @Test
    void saysThatAReplyWasCut() {
        answers(ok(cutReply("Fi")));
        Turn turn = turn();

        assertThat(turn.taken()).isEqualTo(new Replied("Fi"));
        assertThat(turn.record().finishReason()).isEqualTo("length");
        assertThat(turn.record().notes()).containsExactly("The reply was cut at the model's output limit.");
    }

    @Test
    void keepsThoughtsOutOfTheReply() {
        answers(ok(thoughtful("Let me see.", "Fine.")));

        assertThat(turn().thinking("high").taken()).isEqualTo(new Replied("Fine."));
    }

    @Test
    void callsToolsUntilTheModelReplies() throws Exception {
        answers(ok(toolCalls()), ok(reply("Warm.")));
        FakeTools tools = new FakeTools();
        Turn turn = turn().message("What is the weather?").tools(tools);

        assertThat(turn.taken()).isEqualTo(new Replied("Warm."));
        assertThat(tools.calls).containsExactly("weather {\"city\":\"Rome\"}", "weather {\"city\":\"Oslo\"}");
        assertThat(tools.opened).isEqualTo(1);
        assertThat(tools.closed).isEqualTo(1);
        assertThat(body(1)).isEqualTo(JSON.readTree(requestWithResults()));
        assertThat(turn.record().inputTokens()).isEqualTo(22);
        assertThat(turn.record().outputTokens()).isEqualTo(14);
        assertThat(turn.record().finishReason()).isEqualTo("stop");
    }

    @Test
    void givesUpOnAModelThatOnlyCallsTools() {
        server.stubFor(any(anyUrl()).willReturn(ok(toolCalls())));
        FakeTools tools = new FakeTools();

        assertThat(turn().tools(tools).taken()).isEqualTo(failed("it asked for tools 50 times and gave no reply"));
        assertThat(tools.calls).hasSize(100);
        assertThat(tools.closed).isEqualTo(1);
    }

    @Test
    void refusesToolsWhereTheTurnHasNone() {
        answers(ok(toolCalls()), ok(reply("Warm.")));
        Turn turn = turn();

        assertThat(turn.taken()).isEqualTo(new Replied("Warm."));
        assertThat(turn.record().toolCalls())
                .extracting(call -> call.tool() + " " + call.outcome().wire())
                .containsExactly("weather refused", "weather refused");
    }

    @Test
    void asksForThinking() throws Exception {
        for (String[] expected : thinking()) {
            server.resetAll();
            answers(ok(reply("Fine.")));

            assertThat(turn().thinking(expected[0]).taken()).isEqualTo(new Replied("Fine."));
            assertThat(JSON.readTree(thinkingIn(body(0)))).as(expected[0]).isEqualTo(JSON.readTree(expected[1]));
        }
    }

    /** Level and what {@link #thinkingIn} makes of its request; null for no level. */
    abstract String[][] thinking();

    @Test
    void asksWithoutThinkingWhereTheModelHasNone() throws Exception {
        server.stubFor(any(anyUrl()).willReturn(error(400, thinkingRefused())));
        server.stubFor(post(urlEqualTo(path()))
                .atPriority(1)
                .andMatching(request -> com.github.tomakehurst.wiremock.matching.MatchResult.of(
                        thinkingIn(read(request.getBodyAsString())).equals("{}")))
                .willReturn(ok(reply("Fine."))));
        Turn turn = turn().thinking("high");

        assertThat(turn.taken()).isEqualTo(new Replied("Fine."));
        assertThat(turn.record().notes())
                .containsExactly("The model knows no thinking level high; it thought as it does by itself.");
    }

    @Test
    void sendsAgainAfterTheTimeThatTheProviderNames() {
        answers(error(429, "{}").withHeader("Retry-After", "1"), ok(reply("Fine.")));
        Turn turn = turn();

        assertThat(turn.taken()).isEqualTo(new Replied("Fine."));
        assertThat(turn.took()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(10));
    }

    @Test
    void doesNotWaitLongerThanTheTurnMayTake() {
        answers(error(429, "{}").withHeader("Retry-After", "3600"));
        Turn turn = turn();

        assertThat(turn.taken())
                .isEqualTo(
                        failed(
                                "the provider answered 429 and wants 3600 s of pause, more than the turn's time allows:"
                                        + " its rate limit or quota is used up; check the account, or lower agents.maxConcurrent"));
        assertThat(turn.took()).isLessThan(Duration.ofSeconds(10));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "408|check the provider, or providers.mine.baseUrl",
                "429|its rate limit or quota is used up; check the account, or lower agents.maxConcurrent",
                "500|check the provider, or providers.mine.baseUrl",
                "529|check the provider, or providers.mine.baseUrl",
            })
    void givesUpAfterFiveTries(int status, String advice) {
        server.stubFor(any(anyUrl()).willReturn(error(status, "{\"error\":{\"message\":\"no\"}}")));

        assertThat(turn().taken()).isEqualTo(failed("the provider answered " + status + " (tries: 5): " + advice));
        assertThat(requests()).hasSize(5);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "301|redirects are not followed; check providers.mine.baseUrl",
                "400|it does not take the request; check the model's name and what the model can do",
                "401|check providers.mine.apiKey, and whether it may use this model",
                "403|check providers.mine.apiKey, and whether it may use this model",
                "404|check the model's name and providers.mine.baseUrl",
                "422|it does not take the request; check the model's name and what the model can do",
                "501|check the provider, or providers.mine.baseUrl",
            })
    void saysWhatToCheck(int status, String advice) {
        answers(error(status, "{\"error\":{\"message\":\"no\"}}")
                .withHeader("Location", "http://127.0.0.1:9/elsewhere"));

        assertThat(turn().taken()).isEqualTo(failed("the provider answered " + status + ": " + advice));
        assertThat(requests()).hasSize(1);
    }

    @Test
    void saysThatAKeyIsWanted() {
        answers(error(401, "{}"));

        assertThat(turn().withoutKey().taken())
                .isEqualTo(failed("the provider answered 401: it wants a key; set providers.mine.apiKey"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"broken\":", "", "<html>hello</html>", "[]", "{}", "null", "{\"error\":\"no\"}"})
    void saysThatAnAnswerIsNoReply(String body) {
        answers(ok(body));

        Failed outcome = (Failed) turn().taken();

        assertThat(outcome.sentence())
                .isIn(
                        failed("the provider's answer is no reply as kind " + kind()
                                        + " gives it: check providers.mine.baseUrl and providers.mine.kind")
                                .sentence(),
                        failed("the reply is empty (finish reason unknown)").sentence());
    }

    @Test
    void saysThatAReplyIsEmpty() {
        answers(ok(empty()));

        assertThat(turn().taken()).isEqualTo(failed("the reply is empty (finish reason stop)"));
    }

    @Test
    void endsAnAnswerThatIsTooLong() {
        answers(ok("x".repeat(9 * 1024 * 1024)));

        assertThat(turn().taken()).isEqualTo(failed("the provider's answer is longer than 8 MiB"));
    }

    @Test
    void cutsALongReply() {
        answers(ok(reply("x".repeat(2 * 1024 * 1024))));

        Replied reply = (Replied) turn().taken();

        assertThat(reply.text())
                .hasSizeLessThan(1024 * 1024 + 100)
                .endsWith("x\n[cut here: the reply was longer than 1 MiB]");
    }

    @Test
    void endsWithTheTurnsTimeWhereNoAnswerComes() {
        answers(ok(reply("late")).withFixedDelay(60_000));
        Turn turn = turn().timeout(Duration.ofMillis(400));

        assertThat(turn.taken()).isEqualTo(new TimedOut());
        assertThat(turn.took()).isLessThan(Duration.ofSeconds(2));
    }

    @Test
    void endsWithTheTurnsTimeWhereAnAnswerNeverEnds() {
        answers(ok(reply("late")).withChunkedDribbleDelay(1_000, 60_000));
        Turn turn = turn().timeout(Duration.ofMillis(400));

        assertThat(turn.taken()).isEqualTo(new TimedOut());
        assertThat(turn.took()).isLessThan(Duration.ofSeconds(2));
    }

    @Test
    void endsBetweenTwoTriesWhenItIsInterrupted() {
        Cutoff cutoff = new Cutoff(System::nanoTime, Duration.ofSeconds(30));
        server.addMockServiceRequestListener((request, response) -> cutoff.interrupt("a shutdown"));
        answers(error(503, "{}").withHeader("Retry-After", "20"));
        Turn turn = turn();

        assertThat(turn.taken(cutoff)).isEqualTo(new Interrupted("a shutdown"));
        assertThat(turn.took()).isLessThan(Duration.ofSeconds(5));
    }

    @Test
    void tellsNobodyWhatItWasAskedNorTheKey() {
        String secret = "{\"error\":{\"message\":\"bad key " + Turn.KEY + " in " + Turn.MESSAGE + "\"}}";
        try (LogRecords logged = new LogRecords()) {
            for (ResponseDefinitionBuilder answer : List.of(
                    error(400, secret),
                    error(401, secret),
                    error(403, secret),
                    error(404, secret),
                    error(429, secret),
                    error(500, secret),
                    error(301, secret).withHeader("Location", "/" + Turn.KEY),
                    ok(secret),
                    ok("{\"broken\": \"" + Turn.KEY + Turn.MESSAGE),
                    ok(reply("late")).withFixedDelay(60_000))) {
                server.resetAll();
                server.stubFor(any(anyUrl()).willReturn(answer));
                Turn turn =
                        turn().timeout(Duration.ofSeconds(2)).thinking("low").tools(new FakeTools());

                String left = turn.taken() + " " + turn.record() + " " + logged.all();

                assertThat(left).doesNotContain(Turn.KEY).doesNotContain("4711").doesNotContain("0815");
            }
            assertThat(logged.all()).contains("Turn run_1: provider mine, try 1: 500 after");
            assertThat(logged.warnings()).isEmpty();
        }
    }

    final Turn turn() {
        return new Turn(kind(), server.baseUrl() + prefix());
    }

    /** What the configured address ends with. */
    abstract String prefix();

    final Failed failed(String how) {
        return new Failed("model mine/large (kind " + kind() + "): " + how);
    }

    static ResponseDefinitionBuilder ok(String body) {
        return error(200, body);
    }

    static ResponseDefinitionBuilder error(int status, String body) {
        return aResponse()
                .withStatus(status)
                .withHeader("Content-Type", "application/json")
                .withBody(body);
    }

    /** Answers one request after the other. */
    final void answers(ResponseDefinitionBuilder... answers) {
        for (int i = 0; i < answers.length; i++) {
            server.stubFor(any(anyUrl())
                    .inScenario("answers")
                    .whenScenarioStateIs(i == 0 ? Scenario.STARTED : "answer " + i)
                    .willSetStateTo("answer " + (i + 1))
                    .willReturn(answers[i]));
        }
    }

    final List<LoggedRequest> requests() {
        return server.getAllServeEvents().stream()
                .map(ServeEvent::getRequest)
                .sorted(Comparator.comparing(LoggedRequest::getLoggedDate))
                .toList();
    }

    final JsonNode body(int index) {
        return read(requests().get(index).getBodyAsString());
    }

    private static JsonNode read(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }
}
