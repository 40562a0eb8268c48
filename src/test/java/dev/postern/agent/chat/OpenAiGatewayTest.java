package dev.postern.agent.chat;

import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.agent.TurnResult.Replied;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of servers with OpenAI's API whose responses are not in the form of OpenAI's own. */
class OpenAiGatewayTest extends StubServer {

    @Override
    String kind() {
        return "openai";
    }

    @Override
    String prefix() {
        return "/v1";
    }

    private static String reply(String text) {
        return answer("{\"role\": \"assistant\", \"content\": \"" + text + "\"}", "stop");
    }

    private static String answer(String message, String finishReason) {
        return "{\"choices\": [{\"message\": %s, \"finish_reason\": \"%s\"}]}".formatted(message, finishReason);
    }

    /** OpenRouter reports the failures of its own providers so: https://openrouter.ai/docs/api-reference/errors. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"error\":{\"message\":\"upstream overloaded\",\"code\":503}}|503",
                "{\"error\":{\"message\":\"upstream overloaded\",\"code\":\"503\"},\"choices\":[]}|503",
                "{\"error\":{\"message\":\"upstream overloaded\",\"code\":\"server_error\"},\"choices\":null}|500",
                "{\"error\":{\"message\":\"upstream overloaded\",\"code\":200}}|500",
                "{\"error\":{\"message\":\"upstream overloaded\"}}|500",
                "{\"choices\":[{\"finish_reason\":\"error\",\"error\":{\"message\":\"upstream overloaded\",\"code\":502},"
                        + "\"message\":{\"role\":\"assistant\",\"content\":\"half a repl\"}}]}|502",
                "{\"choices\":[{\"finish_reason\":null,\"error\":{\"code\":\"504\"},"
                        + "\"message\":{\"role\":\"assistant\",\"content\":\"half a repl\"}}]}|504",
                "{\"choices\":[{\"finish_reason\":\"error\","
                        + "\"message\":{\"role\":\"assistant\",\"content\":\"half a repl\"}}]}|500",
            })
    void countsAnErrorInAGoodResponseAsOne(String body, int status) {
        server.stubFor(any(anyUrl()).willReturn(ok(body)));
        ChatTurnFixture turn = turn();

        assertThat(turn.take())
                .isEqualTo(down(
                        "the provider answered " + status
                                + " (tries: 5): check the provider, or providers.mine.baseUrl",
                        Duration.ZERO));
        assertThat(turn.record().errorText()).isEqualTo(body);
        assertThat(requests()).hasSize(5);
    }

    @Test
    void sendsAgainAfterAnErrorInAGoodResponse() {
        answers(ok("{\"error\":{\"message\":\"upstream overloaded\",\"code\":502}}"), ok(reply("Fine.")));
        ChatTurnFixture turn = turn();

        assertThat(turn.take()).isEqualTo(new Replied("Fine."));
        assertThat(turn.record().errorText()).isNull();
    }

    @Test
    void saysWhatToCheckAfterAnErrorInAGoodResponse() {
        answers(ok("{\"error\":{\"message\":\"no credits\",\"code\":401}}"));

        assertThat(turn().take())
                .isEqualTo(failed("the provider answered 401: check providers.mine.apiKey, and whether it may use"
                        + " this model"));
        assertThat(requests()).hasSize(1);
    }

    @Test
    void takesAReplyWhoseErrorIsNull() {
        answers(ok(reply("Fine.").replace("\"message\"", "\"error\": null, \"message\"")));

        assertThat(turn().take()).isEqualTo(new Replied("Fine."));
    }

    @Test
    void takesAReplyWithAnErrorBesideIt() {
        answers(ok(reply("Fine.").replaceFirst("\\{", "{\"error\": {\"code\": 503}, ")));

        assertThat(turn().take()).isEqualTo(new Replied("Fine."));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "[{\"type\": \"text\", \"text\": \"Fine.\"}]|Fine.",
                "[{\"type\": \"thinking\", \"thinking\": [{\"type\": \"text\", \"text\": \"Hm.\"}]},"
                        + " {\"type\": \"text\", \"text\": \"All \"}, {\"type\": \"text\", \"text\": \"is fine.\"}]"
                        + "|All is fine.",
                "[\"Fine.\"]|Fine.",
            })
    void joinsTheTextPartsOfAReply(String content, String expected) {
        answers(ok(answer("{\"role\": \"assistant\", \"content\": " + content + "}", "stop")));

        assertThat(turn().take()).isEqualTo(new Replied(expected));
    }

    @Test
    void saysThatPartsWithoutTextAreEmpty() {
        answers(ok(answer("{\"role\": \"assistant\", \"content\": [{\"type\": \"image\"}]}", "stop")));

        assertThat(turn().take()).isEqualTo(failed("the reply is empty (finish reason stop)"));
    }

    @Test
    void takesArgumentsThatAreObjects() throws Exception {
        answers(
                ok(answer(
                        """
                                {"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function",
                                    "function": {"name": "weather", "arguments": {"city": "Rome"}}}]}
                                """,
                        "tool_calls")),
                ok(reply("Warm.")));
        FakeTools tools = new FakeTools();
        ChatTurnFixture turn = turn().message("What is the weather?").tools(tools);

        assertThat(turn.take()).isEqualTo(new Replied("Warm."));
        assertThat(tools.calls).containsExactly("weather {\"city\":\"Rome\"}");
        assertThat(body(1).path("messages").path(1).toString()).contains("{\\\"city\\\":\\\"Rome\\\"}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\"type\": null,", "\"type\": \"\","})
    void takesToolCallsWithoutAType(String type) {
        answers(
                ok(answer(
                        "{\"role\": \"assistant\", \"tool_calls\": [{\"id\": \"call_1\", " + type
                                + " \"function\": {\"name\": \"weather\", \"arguments\": \"{\\\"city\\\":\\\"Rome\\\"}\"}}]}",
                        "tool_calls")),
                ok(reply("Warm.")));
        FakeTools tools = new FakeTools();

        assertThat(turn().tools(tools).take()).isEqualTo(new Replied("Warm."));
        assertThat(tools.calls).containsExactly("weather {\"city\":\"Rome\"}");
    }

    @Test
    void saysThatToolCallsWithoutAFunctionAreEmpty() {
        answers(ok(answer("{\"role\": \"assistant\", \"tool_calls\": [{\"id\": \"call_1\"}]}", "tool_calls")));

        assertThat(turn().tools(new FakeTools()).take())
                .isEqualTo(failed("the reply is empty (finish reason tool_calls)"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "<think>Let me see.</think>Fine.|stop|Fine.",
                "Let me see.</think>Fine.|stop|Fine.",
                "Let me `see`.\\n</think>\\n\\nFine, `</think>` it is.|stop|Fine, `</think>` it is.",
                "Let me see.</think>Fi|length|Fi",
                "<think> is a tag.|stop|<think> is a tag.",
                "Use `</think>` to close it.|stop|Use `</think>` to close it.",
                "Use '</think>' to close it.|stop|Use '</think>' to close it.",
                "Write <think>hm</think> then.|stop|Write <think>hm</think> then.",
                "So: ```<a> </think>```.|stop|So: ```<a> </think>```.",
            })
    void keepsMarkedThoughtsOutOfTheReply(String text, String finishReason, String expected) {
        answers(ok(answer("{\"role\": \"assistant\", \"content\": \"" + text + "\"}", finishReason)));

        assertThat(turn().take()).isEqualTo(new Replied(expected));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "<think>Let me|length|its output limit was used up before it said anything",
                "Let me see.</think>|length|its output limit was used up before it said anything",
                "Let me see.</think>|stop|the reply is empty (finish reason stop)",
            })
    void saysThatAReplyOfThoughtsAloneIsEmpty(String text, String finishReason, String expected) {
        answers(ok(answer("{\"role\": \"assistant\", \"content\": \"" + text + "\"}", finishReason)));

        assertThat(turn().take()).isEqualTo(failed(expected));
    }
}
