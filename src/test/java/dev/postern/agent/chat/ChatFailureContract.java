package dev.postern.agent.chat;

import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import dev.postern.agent.TurnCancellation;
import dev.postern.agent.TurnResult.Failed;
import dev.postern.agent.TurnResult.Interrupted;
import dev.postern.agent.TurnResult.ProviderDown;
import dev.postern.agent.TurnResult.Replied;
import dev.postern.agent.TurnResult.TimedOut;
import dev.postern.model.TurnRecord;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract for turns whose provider fails, for every kind of provider. */
abstract class ChatFailureContract extends ProviderServer {

    @Test
    void sendsAgainAfterTheTimeThatTheProviderNames() {
        answers(error(429, "{}").withHeader("Retry-After", "1"), ok(reply("Fine.")));
        ChatTurnFixture turn = turn();

        assertThat(turn.take()).isEqualTo(new Replied("Fine."));
        assertThat(turn.took()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(10));
    }

    @Test
    void doesNotWaitLongerThanTheTurnMayTake() {
        answers(error(429, "{}").withHeader("Retry-After", "3600"));
        ChatTurnFixture turn = turn();

        assertThat(turn.take())
                .isEqualTo(down(
                        "the provider answered 429 and wants 3600 s of pause, more than the turn's time allows:"
                                + " its rate limit or quota is used up; check the account, or lower agents.maxConcurrent",
                        Duration.ofHours(1)));
        assertThat(turn.took()).isLessThan(Duration.ofSeconds(60));
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

        assertThat(turn().take())
                .isEqualTo(down("the provider answered " + status + " (tries: 5): " + advice, Duration.ZERO));
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

        assertThat(turn().take()).isEqualTo(failed("the provider answered " + status + ": " + advice));
        assertThat(requests()).hasSize(1);
    }

    @Test
    void keepsTheProvidersErrorTextForOperators() {
        String error =
                "{\"error\":{\"message\":\"no such model; your key " + ChatTurnFixture.KEY + " may use others\"}}";
        answers(error(404, error));
        ChatTurnFixture turn = turn();

        assertThat(turn.take())
                .isEqualTo(failed("the provider answered 404: check the model's name and" + " providers.mine.baseUrl"));
        assertThat(turn.record().errorText()).isEqualTo(error.replace(ChatTurnFixture.KEY, "[redacted]"));
    }

    @Test
    void keepsNoErrorTextOnceTheProviderReplies() {
        answers(error(429, "{\"error\":\"slow down\"}").withHeader("Retry-After", "0"), ok(reply("Fine.")));
        ChatTurnFixture turn = turn();

        assertThat(turn.take()).isEqualTo(new Replied("Fine."));
        assertThat(turn.record().errorText()).isNull();
    }

    @Test
    void saysThatItMayBeTheTools() {
        answers(error(400, "{\"error\":{\"message\":\"no\"}}"));

        assertThat(turn().tools(new FakeTools()).take())
                .isEqualTo(failed("the provider answered 400: it does not take the request; check the model's name and"
                        + " what the model can do, and the agent's tools: 1 tools were sent"));
    }

    @Test
    void saysThatTheConversationIsTooLong() {
        answers(error(400, lengthRefused()));

        assertThat(turn().thinking("high").take())
                .isEqualTo(failed("the provider answered 400: the conversation, with the room that its reply needs, is"
                        + " longer than the model's context; " + remedy()
                        + ", or give the agent fewer tools, shorter instructions or shorter messages"));
        assertThat(requests()).hasSize(1);
    }

    private String remedy() {
        return kind().equals("ollama") ? "raise providers.mine.contextTokens" : "take one that holds more";
    }

    @Test
    void saysThatAKeyIsWanted() {
        answers(error(401, "{}"));

        assertThat(turn().withoutKey().take())
                .isEqualTo(failed("the provider answered 401: it wants a key; set providers.mine.apiKey"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"broken\":", "", "<html>hello</html>", "[]", "{}", "null", "{\"error\":\"no\"}"})
    void saysThatAnAnswerIsNoReply(String body) {
        answers(ok(body));
        ChatTurnFixture turn = turn();

        Failed outcome = (Failed) turn.take();

        assertThat(outcome.sentence())
                .isIn(
                        failed("the provider's answer is no reply as kind " + kind()
                                        + " gives it: check providers.mine.baseUrl and providers.mine.kind")
                                .sentence(),
                        failed("the reply is empty (finish reason unknown)").sentence());
        assertThat(turn.record().errorText()).isEqualTo(body.isEmpty() ? null : body);
    }

    @Test
    void keepsTheBeginningOfAnAnswerThatIsNoReply() {
        answers(ok("<html>" + ChatTurnFixture.KEY + "x".repeat(5_000)));
        ChatTurnFixture turn = turn();

        assertThat(turn.take()).isInstanceOf(Failed.class);
        assertThat(turn.record().errorText()).startsWith("<html>[redacted]xxx").hasSizeBetween(1_000, 2_000);
    }

    @Test
    void saysThatAReplyIsEmpty() {
        answers(ok(empty()));

        assertThat(turn().take()).isEqualTo(failed("the reply is empty (finish reason stop)"));
    }

    @Test
    void endsAnAnswerThatIsTooLong() {
        answers(ok("x".repeat(9 * 1024 * 1024)));

        assertThat(turn().take()).isEqualTo(failed("the provider's answer is longer than 8 MiB"));
    }

    @Test
    void endsAnAnswerOfTooManyValues() {
        answers(ok("{\"content\":[{}" + ",{}".repeat(2_700_000) + "]}"));
        ChatTurnFixture turn = turn();

        assertThat(turn.take()).isEqualTo(failed("the provider's answer has more than 100000 values"));
    }

    @Test
    void cutsALongReply() {
        answers(ok(reply("x".repeat(2 * 1024 * 1024))));

        Replied reply = (Replied) turn().take();

        assertThat(reply.text())
                .hasSizeLessThan(1024 * 1024 + 100)
                .endsWith("x\n[cut here: the reply was longer than 1 MiB]");
    }

    @Test
    void countsAProviderThatSendsNothingAsDown() {
        answers(ok(reply("late")).withFixedDelay(60_000));
        ManualDeadline deadline = new ManualDeadline();
        server.addMockServiceRequestListener((request, response) -> deadline.reach());
        ChatTurnFixture turn = turn();

        assertThat(turn.take(deadline.turnCancellation()))
                .isEqualTo(down(
                        "the provider sent nothing within 0 s; check the provider, or providers.mine.baseUrl",
                        Duration.ZERO));
        assertThat(turn.took()).isLessThan(Duration.ofSeconds(20));
    }

    @Test
    void timesOutWhereTheModelGoesOnTooLong() {
        answers(ok(toolCalls()), ok(reply("late")).withFixedDelay(60_000));
        ManualDeadline deadline = new ManualDeadline();
        AtomicInteger asked = new AtomicInteger();
        server.addMockServiceRequestListener((request, response) -> {
            if (asked.incrementAndGet() == 2) {
                deadline.reach();
            }
        });

        assertThat(turn().tools(new FakeTools()).take(deadline.turnCancellation()))
                .isEqualTo(new TimedOut());
    }

    @Test
    void asksNoMoreOnceTheProviderIsDown() {
        server.stubFor(any(anyUrl()).willReturn(error(503, "{}")));

        assertThat(turn().takeTwice()).isInstanceOfSatisfying(ProviderDown.class, down -> {
            assertThat(down.sentence())
                    .isEqualTo(down(
                                    "the provider is down and was not asked; its last failure: the provider answered"
                                            + " 503: check the provider, or providers.mine.baseUrl",
                                    Duration.ZERO)
                            .sentence());
            assertThat(down.pause()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(5));
        });
        assertThat(requests()).hasSize(5);
    }

    @Test
    void asksOnceWhereRequestsFailRepeatedlyThoughTheProviderHasResponded() {
        server.stubFor(any(anyUrl()).willReturn(error(503, "{}")));
        answers(ok(toolCalls()));

        assertThat(turn().tools(new FakeTools()).takeTwice())
                .isEqualTo(down(
                        "the provider answered 503 (tries: 1): check the provider, or providers.mine.baseUrl",
                        Duration.ZERO));
        assertThat(requests()).hasSize(7);
    }

    @Test
    void endsWithTheTurnsTimeWhereAnAnswerNeverEnds() {
        // The head comes with the first of the parts, at once.
        answers(ok(reply("late".repeat(15_000))).withChunkedDribbleDelay(6_000, 60_000));
        ChatTurnFixture turn = turn().timeout(Duration.ofSeconds(2));

        assertThat(turn.take()).isEqualTo(new TimedOut());
        assertThat(turn.took()).isLessThan(Duration.ofSeconds(20));
    }

    @Test
    void endsBetweenTwoTriesWhenItIsInterrupted() {
        TurnCancellation turnCancellation = new TurnCancellation(System::nanoTime, Duration.ofSeconds(30));
        server.addMockServiceRequestListener((request, response) -> turnCancellation.interrupt("a shutdown"));
        answers(error(503, "{}").withHeader("Retry-After", "20"));
        ChatTurnFixture turn = turn();

        assertThat(turn.take(turnCancellation)).isEqualTo(new Interrupted("a shutdown"));
        assertThat(turn.took()).isLessThan(Duration.ofSeconds(15));
    }

    @Test
    void tellsNobodyWhatItWasAskedNorTheKey() {
        String secret =
                "{\"error\":{\"message\":\"bad key " + ChatTurnFixture.KEY + " in " + ChatTurnFixture.MESSAGE + "\"}}";
        try (RootLogCapture logged = new RootLogCapture()) {
            for (ResponseDefinitionBuilder answer : List.of(
                    error(400, secret),
                    error(401, secret),
                    error(403, secret),
                    error(404, secret),
                    error(429, secret),
                    error(500, secret),
                    error(301, secret).withHeader("Location", "/" + ChatTurnFixture.KEY),
                    ok(secret),
                    ok("{\"broken\": \"" + ChatTurnFixture.KEY + ChatTurnFixture.MESSAGE),
                    ok(reply("late")).withFixedDelay(60_000))) {
                server.resetAll();
                server.stubFor(any(anyUrl()).willReturn(answer));
                ChatTurnFixture turn =
                        turn().timeout(Duration.ofSeconds(2)).thinking("low").tools(new FakeTools());

                String result = turn.take().toString();
                TurnRecord record = turn.record();
                String left = result + record.finishReason() + record.toolCalls() + record.notes() + logged.all();

                assertThat(left).doesNotContain("marzipan", "rhubarb");
                assertThat(String.valueOf(record.errorText())).doesNotContain("marzipan");
            }
            assertThat(logged.all()).contains("Turn run_1: provider mine, try 1: 500 after");
            assertThat(logged.warnings())
                    .extracting(LogRecord::getMessage)
                    .allMatch(message -> message.startsWith("Provider {0} is down"));
        }
    }
}
