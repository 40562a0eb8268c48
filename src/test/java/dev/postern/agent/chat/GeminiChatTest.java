package dev.postern.agent.chat;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.model.chat.request.json.JsonAnyOfSchema;
import dev.langchain4j.model.chat.request.json.JsonArraySchema;
import dev.langchain4j.model.chat.request.json.JsonEnumSchema;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.postern.agent.TranscriptRepository.Line;
import dev.postern.agent.TranscriptRepository.Role;
import dev.postern.agent.TurnResult.Replied;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Generating content: https://ai.google.dev/api/generate-content. */
class GeminiChatTest extends ChatContract {

    @Override
    String kind() {
        return "gemini";
    }

    @Override
    String prefix() {
        return "/v1beta";
    }

    @Override
    String path() {
        return "/v1beta/models/large:generateContent";
    }

    @Override
    String[] keyHeader() {
        return new String[] {"x-goog-api-key", ChatTurnFixture.KEY};
    }

    @Override
    String reply(String text) {
        return answer("[{\"text\": \"" + text + "\"}]", "STOP");
    }

    @Override
    String cutReply(String text) {
        return answer("[{\"text\": \"" + text + "\"}]", "MAX_TOKENS");
    }

    @Override
    String empty() {
        return answer("[]", "STOP");
    }

    @Override
    String thoughtful(String thought, String text) {
        return answer("[{\"text\": \"" + thought + "\", \"thought\": true}, {\"text\": \"" + text + "\"}]", "STOP");
    }

    @Override
    String toolCalls() {
        return answer(
                """
                [{"functionCall": {"name": "weather", "args": {"city": "Rome"}}, "thoughtSignature": "c2lnbmVk"},
                    {"functionCall": {"name": "weather", "args": {"city": "Oslo"}}}]
                """,
                "STOP");
    }

    private static String answer(String parts, String finishReason) {
        return """
                {"candidates": [{"content": {"parts": %s, "role": "model"}, "finishReason": "%s", "index": 0}],
                    "usageMetadata": {"promptTokenCount": 11, "candidatesTokenCount": 7, "totalTokenCount": 18},
                    "modelVersion": "large-2026", "responseId": "r1"}
                """
                .formatted(parts, finishReason);
    }

    @Override
    String request() {
        return """
                {"systemInstruction": {"parts": [{"text": "Be brief."}], "role": "model"},
                    "contents": [
                        {"role": "user", "parts": [{"text": "Hi"}]},
                        {"role": "model", "parts": [{"text": "Hello"}]},
                        {"role": "user", "parts": [{"text": "How are you?"}]}],
                    "generationConfig": {"candidateCount": 1, "responseMimeType": "text/plain",
                        "responseLogprobs": false, "enableEnhancedCivicAnswers": false}}
                """;
    }

    @Override
    String requestWithResults() {
        return """
                {"contents": [
                        {"role": "user", "parts": [{"text": "What is the weather?"}]},
                        {"role": "model", "parts": [
                            {"functionCall": {"name": "weather", "args": {"city": "Rome"}}, "thoughtSignature": "c2lnbmVk"},
                            {"functionCall": {"name": "weather", "args": {"city": "Oslo"}}}]},
                        {"role": "user", "parts": [
                            {"functionResponse": {"name": "weather", "response": {"response": "1 degrees"}}},
                            {"functionResponse": {"name": "weather", "response": {"response": "2 degrees"}}}]}],
                    "generationConfig": {"candidateCount": 1, "responseMimeType": "text/plain",
                        "responseLogprobs": false, "enableEnhancedCivicAnswers": false},
                    "tools": [{"functionDeclarations": [{
                        "name": "weather", "description": "Tells the weather.",
                        "parameters": {"type": "OBJECT", "properties": {"city": {"type": "STRING"}},
                            "required": ["city"]}}]}]}
                """;
    }

    @Override
    String thinkingRefused() {
        return """
                {"error": {"code": 400, "status": "INVALID_ARGUMENT",
                    "message": "Thinking is not enabled for this model."}}
                """;
    }

    @Override
    String lengthRefused() {
        return """
                {"error": {"code": 400, "status": "INVALID_ARGUMENT",
                    "message": "The input token count (1048600) exceeds the maximum number of tokens allowed (1048576)."}}
                """;
    }

    @Override
    String maxTokens() {
        return "/generationConfig/maxOutputTokens";
    }

    @Override
    String thinkingIn(JsonNode request) {
        JsonNode config = request.get("generationConfig").get("thinkingConfig");
        return config == null ? "{}" : config.toString();
    }

    @Override
    String[][] thinking() {
        return new String[][] {
            {null, "{}"},
            {"off", "{\"thinkingBudget\": 0}"},
            {"minimal", "{\"thinkingBudget\": 512}"},
            {"low", "{\"thinkingBudget\": 2048}"},
            {"medium", "{\"thinkingBudget\": 8192}"},
            {"high", "{\"thinkingBudget\": 16384}"},
            {"dynamic", "{\"thinkingBudget\": -1}"},
            {"max", "{\"thinkingLevel\": \"max\"}"},
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"../files", "a/b", "a?key=b", "..", "a b", ""})
    void refusesANameThatLeadsElsewhere(String name) {
        assertThat(turn().model(name).take().toString())
                .contains("names no model that kind gemini could have: write <provider>/<model>");
        assertThat(requests()).isEmpty();
    }

    @Test
    void sendsBackWhatTheModelHasSaidAsItWas() throws Exception {
        String first =
                """
                [{"text": "Two cities.", "thought": true},
                    {"functionCall": {"name": "weather", "args": {"city": "Rome"}}, "thoughtSignature": "Zmlyc3Q="},
                    {"functionCall": {"id": "c2", "name": "weather", "args": {"city": "Oslo"}},
                        "thoughtSignature": "c2Vjb25k"}]
                """;
        String second =
                """
                [{"text": "", "thoughtSignature": "dGhpcmQ="}, {"text": "And"},
                    {"functionCall": {"name": "weather", "args": {"city": "Bern"}}}]
                """;
        answers(ok(answer(first, "STOP")), ok(answer(second, "STOP")), ok(reply("Warm.")));
        ChatTurnFixture turn = turn().history(new Line(Role.USER, "Hi"), new Line(Role.ASSISTANT, "Hello"))
                .tools(new FakeTools());

        assertThat(turn.take()).isEqualTo(new Replied("Warm."));
        assertThat(body(2).get("contents").get(1).toString()).contains("Hello");
        assertThat(body(2).get("contents").get(3).get("parts")).isEqualTo(JSON.readTree(first));
        assertThat(body(2).get("contents").get(5).get("parts")).isEqualTo(JSON.readTree(second));
    }

    @Test
    void tellsOfToolsInSchemasThatGeminiTakes() throws Exception {
        answers(ok(reply("Fine.")));
        JsonObjectSchema nothing = JsonObjectSchema.builder().build();
        JsonArraySchema anything = JsonArraySchema.builder().build();
        JsonObjectSchema arguments = JsonObjectSchema.builder()
                .addProperty("tags", anything)
                .addProperty("rows", JsonArraySchema.builder().items(anything).build())
                .addProperty("options", nothing)
                .addProperty(
                        "either",
                        JsonAnyOfSchema.builder().anyOf(nothing, anything).build())
                .addProperty(
                        "order", JsonEnumSchema.builder().enumValues("", "up").build())
                .addProperty("none", JsonEnumSchema.builder().enumValues("").build())
                .required("options")
                .build();

        ChatTurnFixture turn = turn().tools(new FakeTools(
                ToolSpecification.builder().name("find").parameters(arguments).build(),
                ToolSpecification.builder().name("ping").parameters(nothing).build(),
                ToolSpecification.builder().name("bare").build()));

        assertThat(turn.take()).isEqualTo(new Replied("Fine."));
        assertThat(body(0).get("tools").get(0).get("functionDeclarations"))
                .isEqualTo(
                        JSON.readTree(
                                """
                        [{"name": "find", "parameters": {"type": "OBJECT", "required": ["options"], "properties": {
                            "tags": {"type": "ARRAY", "items": {"type": "STRING"}},
                            "rows": {"type": "ARRAY", "items": {"type": "ARRAY", "items": {"type": "STRING"}}},
                            "options": {"type": "OBJECT"},
                            "either": {"anyOf": [{"type": "OBJECT"}, {"type": "ARRAY", "items": {"type": "STRING"}}]},
                            "order": {"type": "STRING", "enum": ["up"]},
                            "none": {"type": "STRING"}}}},
                        {"name": "ping"}, {"name": "bare"}]
                        """));
    }

    @Test
    void saysThatAPromptWasBlocked() {
        answers(ok(
                "{\"promptFeedback\": {\"blockReason\": \"PROHIBITED_CONTENT\"}, \"modelVersion\": \"large-2026\"}"));

        assertThat(turn().take()).isEqualTo(failed("the provider's content filter kept the reply back"));
    }

    @Test
    void saysThatAResponseWithoutACandidateIsEmpty() {
        answers(ok("{\"usageMetadata\": {\"promptTokenCount\": 11}, \"modelVersion\": \"large-2026\"}"));
        ChatTurnFixture turn = turn();

        assertThat(turn.take()).isEqualTo(failed("the reply is empty (finish reason other)"));
        assertThat(turn.record().inputTokens()).isEqualTo(11);
    }

    @Test
    void takesAReasonThatNobodyKnows() {
        answers(ok(answer("[{\"text\": \"Fine.\"}]", "TOO_MANY_TOOL_CALLS")));
        ChatTurnFixture turn = turn();

        assertThat(turn.take()).isEqualTo(new Replied("Fine."));
        assertThat(turn.record().finishReason()).isEqualTo("other");
    }

    @Test
    void repliesWhereNoTokensAreCounted() {
        answers(ok(
                "{\"candidates\": [{\"content\": {\"parts\": [{\"text\": \"Fine.\"}]}, \"finishReason\": \"STOP\"}]}"));
        ChatTurnFixture turn = turn();

        assertThat(turn.take()).isEqualTo(new Replied("Fine."));
        assertThat(turn.record().inputTokens()).isNull();
    }

    /** Thoughts are billed as output: https://ai.google.dev/gemini-api/docs/thinking#pricing. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            nullValues = "none",
            value = {
                "\"promptTokenCount\": 11, \"candidatesTokenCount\": 7, \"thoughtsTokenCount\": 500|11|507",
                "\"promptTokenCount\": 11, \"thoughtsTokenCount\": 500|11|500",
                "\"promptTokenCount\": 11, \"candidatesTokenCount\": null, \"thoughtsTokenCount\": 500|11|500",
                "\"promptTokenCount\": 11, \"candidatesTokenCount\": \"7\", \"thoughtsTokenCount\": \"500\"|11|507",
                "\"promptTokenCount\": 11, \"candidatesTokenCount\": -7, \"thoughtsTokenCount\": 500|11|500",
                "\"promptTokenCount\": 11, \"candidatesTokenCount\": 7, \"thoughtsTokenCount\": -500|11|7",
                "\"promptTokenCount\": 11, \"candidatesTokenCount\": 7, \"thoughtsTokenCount\": 2147483647|11|2147483647",
                "\"promptTokenCount\": 11, \"candidatesTokenCount\": 7, \"thoughtsTokenCount\": null|11|7",
                "\"promptTokenCount\": 11, \"toolUsePromptTokenCount\": 90|101|none",
                "\"toolUsePromptTokenCount\": 90|90|none",
            })
    void countsThoughtsAndPromptsOfTools(String usage, Long input, Long output) {
        answers(ok(reply("Fine.").replaceFirst("\"promptTokenCount\": 11, \"candidatesTokenCount\": 7", usage)));
        ChatTurnFixture turn = turn();

        assertThat(turn.take()).isEqualTo(new Replied("Fine."));
        assertThat(turn.record().inputTokens()).isEqualTo(input);
        assertThat(turn.record().outputTokens()).isEqualTo(output);
    }
}
