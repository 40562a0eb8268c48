package dev.postern.agent.chat;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.agent.TurnResult.Replied;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Chat: https://docs.ollama.com/api/chat. */
class OllamaChatTest extends ChatContract {

    @Override
    String kind() {
        return "ollama";
    }

    @Override
    String prefix() {
        return "";
    }

    @Override
    String path() {
        return "/api/chat";
    }

    @Override
    String[] keyHeader() {
        return new String[] {"Authorization", "Bearer " + ChatTurnFixture.KEY};
    }

    @Override
    String reply(String text) {
        return answer("{\"role\": \"assistant\", \"content\": \"" + text + "\"}", "stop");
    }

    @Override
    String cutReply(String text) {
        return answer("{\"role\": \"assistant\", \"content\": \"" + text + "\"}", "length");
    }

    @Override
    String empty() {
        return answer("{\"role\": \"assistant\", \"content\": \"\"}", "stop");
    }

    @Override
    String thoughtful(String thought, String text) {
        return answer(
                "{\"role\": \"assistant\", \"thinking\": \"" + thought + "\", \"content\": \"" + text + "\"}", "stop");
    }

    @Override
    String toolCalls() {
        return answer(
                """
                {"role": "assistant", "content": "", "tool_calls": [
                    {"function": {"name": "weather", "arguments": {"city": "Rome"}}},
                    {"function": {"name": "weather", "arguments": {"city": "Oslo"}}}]}
                """,
                "stop");
    }

    private static String answer(String message, String doneReason) {
        return """
                {"model": "large", "created_at": "2026-11-22T02:00:00.000000Z", "message": %s, "done": true,
                    "done_reason": "%s", "total_duration": 1, "prompt_eval_count": 11, "eval_count": 7}
                """
                .formatted(message, doneReason);
    }

    @Override
    String request() {
        return """
                {"model": "large", "stream": false, "truncate": false, "shift": false,
                    "options": {"stop": []}, "messages": [
                    {"role": "system", "content": "Be brief."},
                    {"role": "user", "content": "Hi"},
                    {"role": "assistant", "content": "Hello", "tool_calls": []},
                    {"role": "user", "content": "How are you?"}]}
                """;
    }

    @Override
    String requestWithResults() {
        return """
                {"model": "large", "stream": false, "truncate": false, "shift": false, "options": {"stop": []},
                    "messages": [
                        {"role": "user", "content": "What is the weather?"},
                        {"role": "assistant", "tool_calls": [
                            {"function": {"name": "weather", "arguments": {"city": "Rome"}}},
                            {"function": {"name": "weather", "arguments": {"city": "Oslo"}}}]},
                        {"role": "tool", "content": "1 degrees"},
                        {"role": "tool", "content": "2 degrees"}],
                    "tools": [{"type": "function", "function": {
                        "name": "weather", "description": "Tells the weather.",
                        "parameters": {"type": "object", "properties": {"city": {"type": "string"}},
                            "required": ["city"]}}}]}
                """;
    }

    @Override
    String thinkingRefused() {
        return "{\"error\": \"\\\"large\\\" does not support thinking\"}";
    }

    @Override
    String lengthRefused() {
        return "{\"error\": \"the input length exceeds the context length\"}";
    }

    @Override
    String maxTokens() {
        return "/options/num_predict";
    }

    @Override
    String thinkingIn(JsonNode request) {
        return request.has("think") ? request.get("think").toString() : "{}";
    }

    @Override
    String[][] thinking() {
        return new String[][] {
            {null, "{}"}, {"off", "false"}, {"minimal", "true"}, {"low", "true"}, {"medium", "true"}, {"high", "true"},
        };
    }

    /** The wording of Ollama 0.40's engines. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "400|{\"error\":\"{\\\"error\\\":{\\\"code\\\":400,\\\"message\\\":\\\"request (2622 tokens) exceeds the available"
                        + " context size (512 tokens), try increasing it\\\"}}\"}",
                "400|{\"error\":\"the prompt is longer than the context length currently available to the model\"}",
                "500|{\"error\":\"input length (9000 tokens) exceeds the model's maximum context length (8192 tokens)\"}",
            })
    void knowsAConversationThatIsTooLong(int status, String body) {
        answers(error(status, body));

        assertThat(turn().take().toString())
                .contains("is longer than the model's context; raise providers.mine.contextTokens");
        assertThat(requests()).hasSize(1);
    }

    @Test
    void asksForAsLargeAContextAsIsConfigured() {
        answers(ok(reply("Fine.")));

        assertThat(turn().contextTokens(16_384).take()).isEqualTo(new Replied("Fine."));
        assertThat(body(0).get("options").get("num_ctx").asInt()).isEqualTo(16_384);
    }

    @Test
    void takesArgumentsThatAreTexts() {
        String calls = toolCalls().replaceAll("\\{\"city\": \"(\\w+)\"}", "\"{\\\\\"city\\\\\": \\\\\"$1\\\\\"}\"");
        assertThat(read(calls).findValues("arguments")).allMatch(JsonNode::isTextual);
        answers(ok(calls), ok(reply("Warm.")));
        FakeTools tools = new FakeTools();

        assertThat(turn().tools(tools).take()).isEqualTo(new Replied("Warm."));
        assertThat(tools.calls).containsExactly("weather {\"city\":\"Rome\"}", "weather {\"city\":\"Oslo\"}");
    }

    @Test
    void saysThatArgumentsWithoutAnObjectAreNoReply() {
        answers(ok(toolCalls().replace("{\"city\": \"Rome\"}", "\"Rome\"")));

        assertThat(turn().tools(new FakeTools()).take().toString())
                .contains("the provider's answer is no reply as kind ollama gives it");
    }

    @Test
    void leavesOutALevelOfTheOperatorsOwn() {
        answers(ok(reply("Fine.")));
        ChatTurnFixture turn = turn().thinking("max");

        assertThat(turn.take()).isEqualTo(new Replied("Fine."));
        assertThat(thinkingIn(body(0))).isEqualTo("{}");
        assertThat(turn.record().notes())
                .containsExactly("The model knows no thinking level max; it thought as it does by itself.");
    }
}
