package dev.postern.agent.chat;

import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.agent.TurnResult.Replied;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Chat completions: https://platform.openai.com/docs/api-reference/chat/create. */
class OpenAiChatTest extends ChatContract {

    @Override
    String kind() {
        return "openai";
    }

    @Override
    String prefix() {
        return "/v1";
    }

    @Override
    String path() {
        return "/v1/chat/completions";
    }

    @Override
    String[] keyHeader() {
        return new String[] {"Authorization", "Bearer " + ChatTurnFixture.KEY};
    }

    @Override
    String reply(String text) {
        return answer("{\"role\": \"assistant\", \"content\": \"" + text + "\", \"refusal\": null}", "stop");
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
                "{\"role\": \"assistant\", \"reasoning_content\": \"" + thought + "\", \"content\": \"" + text + "\"}",
                "stop");
    }

    @Override
    String toolCalls() {
        return answer(
                """
                {"role": "assistant", "content": null, "tool_calls": [
                    {"id": "call_1", "type": "function",
                        "function": {"name": "weather", "arguments": "{\\"city\\": \\"Rome\\"}"}},
                    {"id": "call_2", "type": "function",
                        "function": {"name": "weather", "arguments": "{\\"city\\": \\"Oslo\\"}"}}]}
                """,
                "tool_calls");
    }

    private static String answer(String message, String finishReason) {
        return """
                {"id": "chatcmpl-1", "object": "chat.completion", "created": 1760000000, "model": "large-2026",
                    "choices": [{"index": 0, "message": %s, "logprobs": null, "finish_reason": "%s"}],
                    "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}}
                """
                .formatted(message, finishReason);
    }

    @Override
    String request() {
        return """
                {"model": "large", "stream": false, "messages": [
                    {"role": "system", "content": "Be brief."},
                    {"role": "user", "content": "Hi"},
                    {"role": "assistant", "content": "Hello"},
                    {"role": "user", "content": "How are you?"}]}
                """;
    }

    @Override
    String requestWithResults() {
        return """
                {"model": "large", "stream": false,
                    "messages": [
                        {"role": "user", "content": "What is the weather?"},
                        {"role": "assistant", "tool_calls": [
                            {"id": "call_1", "type": "function",
                                "function": {"name": "weather", "arguments": "{\\"city\\": \\"Rome\\"}"}},
                            {"id": "call_2", "type": "function",
                                "function": {"name": "weather", "arguments": "{\\"city\\": \\"Oslo\\"}"}}]},
                        {"role": "tool", "tool_call_id": "call_1", "content": "1 degrees"},
                        {"role": "tool", "tool_call_id": "call_2", "content": "2 degrees"}],
                    "tools": [{"type": "function", "function": {
                        "name": "weather", "description": "Tells the weather.",
                        "parameters": {"type": "object", "properties": {"city": {"type": "string"}},
                            "required": ["city"]}}}]}
                """;
    }

    @Override
    String thinkingRefused() {
        return """
                {"error": {"message": "Unrecognized request argument supplied: reasoning_effort",
                    "type": "invalid_request_error", "param": null, "code": null}}
                """;
    }

    @Override
    String lengthRefused() {
        return """
                {"error": {"message": "This model's maximum context length is 8192 tokens. However, your messages resulted
                    in 9001 tokens.", "type": "invalid_request_error", "param": "messages",
                    "code": "context_length_exceeded"}}
                """;
    }

    @Override
    String maxTokens() {
        return "/max_completion_tokens";
    }

    @Override
    String thinkingIn(JsonNode request) {
        return request.has("reasoning_effort") ? request.get("reasoning_effort").toString() : "{}";
    }

    @Override
    String[][] thinking() {
        return new String[][] {
            {null, "{}"},
            {"off", "\"none\""},
            {"minimal", "\"minimal\""},
            {"low", "\"low\""},
            {"medium", "\"medium\""},
            {"high", "\"high\""},
            {"xhigh", "\"xhigh\""},
        };
    }

    @Test
    void takesTheNextBestWhereAModelKnowsNoMinimalThinking() {
        answers(error(400, thinkingRefused()), ok(reply("Fine.")));
        ChatTurnFixture turn = turn().thinking("minimal");

        assertThat(turn.take()).isEqualTo(new Replied("Fine."));
        assertThat(body(1).get("reasoning_effort").asText()).isEqualTo("low");
        assertThat(turn.record().notes())
                .containsExactly("The model knows no thinking level minimal; it was asked for low instead.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\"content\": null,", "\"content\": \"\",", "\"content\": [],"})
    void saysThatAModelHasRefused(String content) {
        answers(ok(answer("{\"role\": \"assistant\", " + content + " \"refusal\": \"I won't.\"}", "stop")));
        ChatTurnFixture turn = turn();

        assertThat(turn.take()).isEqualTo(failed("the provider's content filter kept the reply back"));
        assertThat(turn.record().inputTokens()).isEqualTo(11);
        assertThat(turn.record().outputTokens()).isEqualTo(7);
        assertThat(turn.record().finishReason()).isEqualTo("content_filter");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"content\": \"Well.\"",
                "\"content\": null, \"tool_calls\": [{\"id\": \"c1\", \"type\": \"function\","
                        + " \"function\": {\"name\": \"weather\", \"arguments\": \"{}\"}}]",
            })
    void takesNothingOfAMessageThatRefusesToo(String more) {
        answers(ok(answer("{\"role\": \"assistant\", " + more + ", \"refusal\": \"I won't.\"}", "stop")));
        FakeTools tools = new FakeTools();

        assertThat(turn().tools(tools).take()).isEqualTo(failed("the provider's content filter kept the reply back"));
        assertThat(tools.calls).isEmpty();
    }

    @Test
    void saysThatTheContentFilterCutTheReply() {
        answers(ok(answer("{\"role\": \"assistant\", \"content\": \"Fi\"}", "content_filter")));
        ChatTurnFixture turn = turn();

        assertThat(turn.take()).isEqualTo(new Replied("Fi"));
        assertThat(turn.record().finishReason()).isEqualTo("content_filter");
        assertThat(turn.record().notes()).containsExactly("The provider's content filter cut the reply.");
    }

    @Test
    void saysThatThinkingUsedTheOutputLimitUp() {
        answers(ok(cutReply("")));

        assertThat(turn().take()).isEqualTo(failed("its output limit was used up before it said anything"));
    }

    @Test
    void leavesOutThoughtsThatAServerMarksInTheReply() {
        answers(ok(reply("<think>Let me see.</think>\\n\\nFine.")));

        assertThat(turn().take()).isEqualTo(new Replied("Fine."));
    }

    @Test
    void replacesWhatNoTextMayHold() {
        answers(ok(reply("Fi\\u0000ne.")));

        assertThat(turn().take()).isEqualTo(new Replied("Fi\uFFFDne."));
    }

    @Test
    void endsATurnWhoseToolsSayTooMuch() {
        server.stubFor(any(anyUrl()).willReturn(ok(toolCalls())));
        FakeTools tools = new FakeTools();
        tools.result = "x".repeat(4 * 1024 * 1024);

        assertThat(turn().tools(tools).take())
                .isEqualTo(failed("its answers and the results of its tools came to more than 16 MiB in one turn; give"
                        + " the agent fewer tools or a smaller maxCalls"));
        assertThat(tools.calls).hasSize(4);
        assertThat(requests()).hasSize(2);
    }

    @Test
    void endsATurnWhoseAnswersSayTooMuch() {
        server.stubFor(any(anyUrl()).willReturn(ok(" ".repeat(7 * 1024 * 1024) + toolCalls())));
        FakeTools tools = new FakeTools();

        assertThat(turn().tools(tools).take().toString()).contains("came to more than 16 MiB in one turn");
        assertThat(tools.calls).hasSize(4);
        assertThat(requests()).hasSize(3);
    }

    @Test
    void sendsNamesWithSlashesAsTheyAre() {
        answers(ok(reply("Fine.")));

        assertThat(turn().model("lab/large:free").take()).isEqualTo(new Replied("Fine."));
        assertThat(body(0).get("model").asText()).isEqualTo("lab/large:free");
    }

    @Test
    void saysThatAModelHasNoName() {
        assertThat(turn().model(" ").take().toString())
                .contains("names no model that kind openai could have: write <provider>/<model>");
    }

    @Test
    void saysThatAKeyCanNotBeSent() {
        String outcome = turn().key("sk-marzipan\nmore").take().toString();

        assertThat(outcome).contains("check providers.mine.apiKey: it holds characters that no request can carry");
        assertThat(outcome).doesNotContain("marzipan");
    }
}
