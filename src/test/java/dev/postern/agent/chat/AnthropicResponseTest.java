package dev.postern.agent.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.agent.TurnResult.Replied;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the less common fields and values in Anthropic's responses: https://docs.anthropic.com/en/api/messages. */
class AnthropicResponseTest extends StubServer {

    @Override
    String kind() {
        return "anthropic";
    }

    @Override
    String prefix() {
        return "/v1";
    }

    private static String answer(String content, String stopReason, String usage) {
        return """
                {"id": "msg_1", "type": "message", "role": "assistant", "model": "large-2026", "content": %s,
                    "stop_reason": "%s", "stop_sequence": null, "usage": %s}
                """
                .formatted(content, stopReason, usage);
    }

    private static String text(String text) {
        return "[{\"type\": \"text\", \"text\": \"" + text + "\"}]";
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            nullValues = "none",
            value = {
                "\"input_tokens\": 3, \"cache_read_input_tokens\": 5000, \"cache_creation_input_tokens\": 2000|7003",
                "\"input_tokens\": 3, \"cache_read_input_tokens\": null, \"cache_creation_input_tokens\": 2000|2003",
                "\"input_tokens\": 3, \"cache_read_input_tokens\": -5000, \"cache_creation_input_tokens\": 0|3",
                "\"input_tokens\": \"3\", \"cache_read_input_tokens\": \"5000\"|5003",
                "\"input_tokens\": null, \"cache_read_input_tokens\": 5000|5000",
                "\"cache_read_input_tokens\": 5000|5000",
                "\"input_tokens\": 3|3",
            })
    void countsTokensFromTheCache(String usage, Long input) {
        answers(ok(answer(text("Fine."), "end_turn", "{" + usage + ", \"output_tokens\": 7}")));
        ChatTurnFixture turn = turn();

        assertThat(turn.take()).isEqualTo(new Replied("Fine."));
        assertThat(turn.record().inputTokens()).isEqualTo(input);
        assertThat(turn.record().outputTokens()).isEqualTo(7);
    }

    private static String errorOf(String type) {
        return "{\"type\": \"error\", \"error\": {\"type\": \"" + type + "\", \"message\": \"Overloaded\"}}";
    }

    @Test
    void sendsAgainAfterAnErrorInAGoodResponse() {
        answers(
                ok(errorOf("overloaded_error")),
                ok(errorOf("of another kind")),
                ok(answer(text("Fine."), "end_turn", "{}")));

        assertThat(turn().take()).isEqualTo(new Replied("Fine."));
    }

    @Test
    void saysWhatToCheckAfterAnErrorInAGoodResponse() {
        answers(ok(errorOf("authentication_error")));

        assertThat(turn().take())
                .isEqualTo(failed("the provider answered 401: check providers.mine.apiKey, and whether it may use"
                        + " this model"));
    }

    @Test
    void saysThatAReplyWasRefused() {
        answers(ok(answer("[]", "refusal", "{}")));

        assertThat(turn().take()).isEqualTo(failed("the provider's content filter kept the reply back"));
    }

    @Test
    void saysThatTheContextWasFullBeforeTheReply() {
        answers(ok(answer("[]", "model_context_window_exceeded", "{}")));

        assertThat(turn().take()).isEqualTo(failed("its output limit was used up before it said anything"));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "refusal, content_filter, \"The provider's content filter cut the reply.\"",
                "model_context_window_exceeded, length, \"The reply was cut at the model's output limit.\"",
            })
    void saysThatAReplyWasCut(String stopReason, String finishReason, String note) {
        answers(ok(answer(text("Fi"), stopReason, "{}")));
        ChatTurnFixture turn = turn();

        assertThat(turn.take()).isEqualTo(new Replied("Fi"));
        assertThat(turn.record().finishReason()).isEqualTo(finishReason);
        assertThat(turn.record().notes()).containsExactly(note);
    }
}
