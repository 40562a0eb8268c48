package dev.postern.agent.chat;

import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonSchemaElement;
import dev.langchain4j.model.chat.request.json.JsonStringSchema;
import dev.postern.agent.TranscriptRepository.Line;
import dev.postern.agent.TranscriptRepository.Role;
import dev.postern.agent.TurnResult.Replied;
import org.junit.jupiter.api.Test;

/** Messages: https://docs.anthropic.com/en/api/messages. */
class AnthropicChatTest extends ChatContract {

    @Override
    String kind() {
        return "anthropic";
    }

    @Override
    String prefix() {
        return "/v1";
    }

    @Override
    String path() {
        return "/v1/messages";
    }

    @Override
    String[] keyHeader() {
        return new String[] {"x-api-key", ChatTurnFixture.KEY};
    }

    @Override
    String reply(String text) {
        return answer("[{\"type\": \"text\", \"text\": \"" + text + "\"}]", "end_turn");
    }

    @Override
    String cutReply(String text) {
        return answer("[{\"type\": \"text\", \"text\": \"" + text + "\"}]", "max_tokens");
    }

    @Override
    String empty() {
        return answer("[]", "end_turn");
    }

    @Override
    String thoughtful(String thought, String text) {
        return answer(
                "[{\"type\": \"thinking\", \"thinking\": \"" + thought + "\", \"signature\": \"c2lnbmVk\"},"
                        + " {\"type\": \"text\", \"text\": \"" + text + "\"}]",
                "end_turn");
    }

    @Override
    String toolCalls() {
        return answer(
                """
                [{"type": "thinking", "thinking": "Two cities.", "signature": "c2lnbmVk"},
                    {"type": "text", "text": "I look it up."},
                    {"type": "tool_use", "id": "toolu_1", "name": "weather", "input": {"city": "Rome"}},
                    {"type": "tool_use", "id": "toolu_2", "name": "weather", "input": {"city": "Oslo"}}]
                """,
                "tool_use");
    }

    @Override
    String silentToolCalls() {
        return answer(
                "[{\"type\": \"tool_use\", \"id\": \"toolu_1\", \"name\": \"weather\", \"input\": {\"city\": \"Rome\"}},"
                        + " {\"type\": \"tool_use\", \"id\": \"toolu_2\", \"name\": \"weather\", \"input\": {\"city\": \"Oslo\"}}]",
                "tool_use");
    }

    /** The provider refuses a request with tool calls that lists no tools, and accepts a choice of none. */
    @Override
    void offersNoTools(JsonNode request) {
        assertThat(request.path("tools")).isNotEmpty();
        assertThat(request.path("tool_choice")).isEqualTo(read("{\"type\": \"none\"}"));
    }

    @Test
    void takesWhatAModelSaysBesideCallsItMayNotMake() {
        server.stubFor(any(anyUrl()).willReturn(ok(toolCalls())));

        assertThat(turn().maxCalls(1).tools(new FakeTools()).take()).isEqualTo(new Replied("I look it up."));
        assertThat(requests()).hasSize(2);
    }

    private static String answer(String content, String stopReason) {
        return """
                {"id": "msg_1", "type": "message", "role": "assistant", "model": "large-2026", "content": %s,
                    "stop_reason": "%s", "stop_sequence": null, "usage": {"input_tokens": 11, "output_tokens": 7}}
                """
                .formatted(content, stopReason);
    }

    @Override
    String request() {
        return """
                {"model": "large", "max_tokens": 8192, "stream": false,
                    "system": [{"type": "text", "text": "Be brief."}],
                    "messages": [
                        {"role": "user", "content": [{"type": "text", "text": "Hi"}]},
                        {"role": "assistant", "content": [{"type": "text", "text": "Hello"}]},
                        {"role": "user", "content": [{"type": "text", "text": "How are you?"}]}]}
                """;
    }

    @Override
    String requestWithResults() {
        return """
                {"model": "large", "max_tokens": 8192, "stream": false,
                    "messages": [
                        {"role": "user", "content": [{"type": "text", "text": "What is the weather?"}]},
                        {"role": "assistant", "content": [
                            {"type": "thinking", "thinking": "Two cities.", "signature": "c2lnbmVk"},
                            {"type": "text", "text": "I look it up."},
                            {"type": "tool_use", "id": "toolu_1", "name": "weather", "input": {"city": "Rome"}},
                            {"type": "tool_use", "id": "toolu_2", "name": "weather", "input": {"city": "Oslo"}}]},
                        {"role": "user", "content": [
                            {"type": "tool_result", "tool_use_id": "toolu_1", "content": "1 degrees"},
                            {"type": "tool_result", "tool_use_id": "toolu_2", "content": "2 degrees"}]}],
                    "tools": [{"name": "weather", "description": "Tells the weather.",
                        "input_schema": {"type": "object", "properties": {"city": {"type": "string"}},
                            "required": ["city"]}}]}
                """;
    }

    @Override
    String thinkingRefused() {
        return """
                {"type": "error", "error": {"type": "invalid_request_error",
                    "message": "'large' does not support thinking"}}
                """;
    }

    @Override
    String lengthRefused() {
        return """
                {"type": "error", "error": {"type": "invalid_request_error",
                    "message": "prompt is too long: 208310 tokens > 200000 maximum"}}
                """;
    }

    @Override
    String maxTokens() {
        return "/max_tokens";
    }

    @Override
    String thinkingIn(JsonNode request) {
        if (!request.has("thinking")) {
            return "{}";
        }
        String effort =
                request.has("output_config") ? request.get("output_config").toString() : "{}";
        return "[" + request.get("thinking") + ", " + effort + ", " + request.get("max_tokens") + "]";
    }

    @Override
    String[][] thinking() {
        return new String[][] {
            {null, "{}"},
            {"off", "{}"},
            {"minimal", "[{\"type\": \"enabled\", \"budget_tokens\": 1024}, {}, 9216]"},
            {"low", "[{\"type\": \"enabled\", \"budget_tokens\": 4096}, {}, 12288]"},
            {"medium", "[{\"type\": \"enabled\", \"budget_tokens\": 8192}, {}, 16384]"},
            {"high", "[{\"type\": \"enabled\", \"budget_tokens\": 16384}, {}, 24576]"},
            {"max", "[{\"type\": \"adaptive\"}, {\"effort\": \"max\"}, 24576]"},
        };
    }

    @Test
    void namesTheVersionOfTheApi() {
        answers(ok(reply("Fine.")));

        turn().take();

        assertThat(requests().get(0).getHeader("anthropic-version")).isEqualTo("2023-06-01");
    }

    @Test
    void sendsBackWhatTheModelHasSaidAsItWas() throws Exception {
        String first =
                """
                [{"type": "thinking", "thinking": "Two cities.", "signature": "Zmlyc3Q="},
                    {"type": "redacted_thinking", "data": "aGlkZGVu"},
                    {"type": "thinking", "thinking": "Rome first.", "signature": "c2Vjb25k"},
                    {"type": "text", "text": "I look it up.", "citations": null}, {"type": "text", "text": ""},
                    {"type": "tool_use", "id": "toolu_1", "name": "weather", "input": {"city": "Rome"}}]
                """;
        String second =
                """
                [{"type": "text", "text": "And then"},
                    {"type": "thinking", "thinking": "Oslo now.", "signature": "dGhpcmQ="},
                    {"type": "tool_use", "id": "toolu_2", "name": "weather", "input": {"city": "Oslo"}}]
                """;
        answers(ok(answer(first, "tool_use")), ok(answer(second, "tool_use")), ok(reply("Warm.")));
        ChatTurnFixture turn = turn().history(new Line(Role.USER, "Hi"), new Line(Role.ASSISTANT, "Hello"))
                .tools(new FakeTools());

        assertThat(turn.take()).isEqualTo(new Replied("Warm."));
        assertThat(body(2).get("messages").findValues("content").get(1).toString())
                .contains("Hello");
        assertThat(body(2).get("messages").get(3).get("content"))
                .isEqualTo(JSON.readTree(first.replace(", {\"type\": \"text\", \"text\": \"\"}", "")));
        assertThat(body(2).get("messages").get(5).get("content")).isEqualTo(JSON.readTree(second));
    }

    @Test
    void leavesOutToolsWhoseArgumentsTheProviderWouldRefuse() {
        answers(ok(reply("Fine.")));
        FakeTools tools = new FakeTools(
                tool("plain", "top.1_a-b", JsonStringSchema.builder().build()),
                tool("query", "$filter", JsonStringSchema.builder().build()),
                tool("wordy", "a".repeat(65), JsonStringSchema.builder().build()),
                tool(
                        "deep",
                        "where",
                        JsonObjectSchema.builder().addStringProperty("$eq").build()),
                ToolSpecification.builder().name("bare").build());
        ChatTurnFixture turn = turn().tools(tools);

        assertThat(turn.take()).isEqualTo(new Replied("Fine."));
        assertThat(body(0).get("tools").findValuesAsText("name")).containsExactly("plain", "deep", "bare");
        assertThat(turn.record().notes())
                .containsExactly("Tools left out, since kind anthropic does not take the names of their arguments: 2,"
                        + " query first.");
    }

    private static ToolSpecification tool(String name, String argument, JsonSchemaElement schema) {
        return ToolSpecification.builder()
                .name(name)
                .parameters(
                        JsonObjectSchema.builder().addProperty(argument, schema).build())
                .build();
    }

    @Test
    void countsThoughtsBesideTheAnswer() {
        answers(ok(reply("Fine.")));

        assertThat(turn().maxTokens(1000).thinking("low").take()).isEqualTo(new Replied("Fine."));
        assertThat(body(0).at(maxTokens()).asInt()).isEqualTo(5096);
    }

    @Test
    void asksForLessWhereThoughtsAreMoreThanTheModelMayAnswer() {
        String refused = tooMany(24_576);
        answers(error(400, refused), error(400, refused), ok(reply("Fine.")));

        assertThat(turn().thinking("high").take()).isEqualTo(new Replied("Fine."));
        assertThat(body(2).at(maxTokens()).asInt()).isEqualTo(8192);
    }

    @Test
    void saysThatAnAnswerMayNotBeThatLong() {
        answers(error(400, tooMany(8192)));

        assertThat(turn().take())
                .isEqualTo(failed("the provider answered 400: its answers may not be that long; set a smaller"
                        + " providers.mine.maxTokens"));
    }

    private static String tooMany(int tokens) {
        return """
                {"type": "error", "error": {"type": "invalid_request_error", "message": "max_tokens: %d > 4096, which is \
                the maximum allowed number of output tokens for large"}}
                """
                .formatted(tokens);
    }

    @Test
    void asksForAnEffortWhereAModelTakesNoBudget() {
        answers(error(400, thinkingRefused()), ok(reply("Fine.")));
        ChatTurnFixture turn = turn().thinking("medium");

        assertThat(turn.take()).isEqualTo(new Replied("Fine."));
        assertThat(thinkingIn(body(1))).isEqualTo("[{\"type\":\"adaptive\"}, {\"effort\":\"medium\"}, 24576]");
        assertThat(turn.record().notes()).isEmpty();
    }
}
