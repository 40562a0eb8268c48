package dev.postern.agent.chat;

import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.tomakehurst.wiremock.matching.MatchResult;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import dev.postern.agent.TranscriptRepository.Line;
import dev.postern.agent.TranscriptRepository.Role;
import dev.postern.agent.TurnResult;
import dev.postern.agent.TurnResult.Replied;
import org.junit.jupiter.api.Test;

/** The contract of every kind of provider, tested on a server that speaks its published API. */
abstract class ChatContract extends ChatFailureContract {

    @Test
    void asksInTheProvidersOwnWords() throws Exception {
        answers(ok(reply("Fine.")));

        TurnResult outcome = turn().instructions("Be brief.")
                .history(new Line(Role.USER, "Hi"), new Line(Role.ASSISTANT, "Hello"))
                .message("How are you?")
                .take();

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

        TurnResult outcome = turn().instructions(" ")
                .history(new Line(Role.USER, "Hi"), new Line(Role.ASSISTANT, " "))
                .take();

        assertThat(outcome).isEqualTo(new Replied("Fine."));
        assertThat(body(0).findValuesAsText("role"))
                .doesNotContain("system")
                .satisfies(roles -> assertThat(roles).hasSize(3))
                .element(1)
                .isIn("assistant", "model");
        assertThat(body(0).toString()).contains("(no reply)");
    }

    @Test
    void sendsNoKeyWhereNoneIsConfigured() {
        answers(ok(reply("Fine.")));

        assertThat(turn().withoutKey().take()).isEqualTo(new Replied("Fine."));
        assertThat(requests().get(0).getHeaders().keys())
                .noneMatch(name -> name.equalsIgnoreCase(keyHeader()[0]) || name.equalsIgnoreCase("Authorization"));
    }

    @Test
    void writesDownWhatWasUsed() {
        answers(ok(reply(" Fine.\\n")));
        ChatTurnFixture turn = turn();

        assertThat(turn.take()).isEqualTo(new Replied("Fine."));
        assertThat(turn.record().inputTokens()).isEqualTo(11);
        assertThat(turn.record().outputTokens()).isEqualTo(7);
        assertThat(turn.record().finishReason()).isEqualTo("stop");
        assertThat(turn.record().notes()).isEmpty();
    }

    @Test
    void takesAnAnswerAfterAByteOrderMark() {
        answers(ok("\uFEFF" + reply("Fine.")));

        assertThat(turn().take()).isEqualTo(new Replied("Fine."));
    }

    @Test
    void countsNoNegativeTokens() {
        answers(ok(reply("Fine.").replaceAll("\\b11\\b", "-11").replaceAll("\\b7\\b", "-7")));
        ChatTurnFixture turn = turn();

        assertThat(turn.take()).isEqualTo(new Replied("Fine."));
        assertThat(turn.record().inputTokens()).isZero();
        assertThat(turn.record().outputTokens()).isZero();
    }

    @Test
    void saysThatAReplyWasCut() {
        answers(ok(cutReply("Fi")));
        ChatTurnFixture turn = turn();

        assertThat(turn.take()).isEqualTo(new Replied("Fi"));
        assertThat(turn.record().finishReason()).isEqualTo("length");
        assertThat(turn.record().notes()).containsExactly("The reply was cut at the model's output limit.");
    }

    @Test
    void keepsThoughtsOutOfTheReply() {
        answers(ok(thoughtful("Let me see.", "Fine.")));

        assertThat(turn().thinking("high").take()).isEqualTo(new Replied("Fine."));
    }

    @Test
    void callsToolsUntilTheModelReplies() throws Exception {
        answers(ok(toolCalls()), ok(reply("Warm.")));
        FakeTools tools = new FakeTools();
        ChatTurnFixture turn = turn().message("What is the weather?").tools(tools);

        assertThat(turn.take()).isEqualTo(new Replied("Warm."));
        assertThat(tools.calls).containsExactly("weather {\"city\":\"Rome\"}", "weather {\"city\":\"Oslo\"}");
        assertThat(tools.opened).isEqualTo(1);
        assertThat(tools.closed).isEqualTo(1);
        assertThat(body(1)).isEqualTo(JSON.readTree(requestWithResults()));
        assertThat(turn.record().inputTokens()).isEqualTo(22);
        assertThat(turn.record().outputTokens()).isEqualTo(14);
        assertThat(turn.record().finishReason()).isEqualTo("stop");
    }

    @Test
    void takesSilenceForAReplyWhereToolsHaveDoneTheWork() {
        answers(ok(toolCalls()), ok(empty()));

        assertThat(turn().tools(new FakeTools()).take()).isEqualTo(new Replied(""));
    }

    @Test
    void letsNoControlTokenThroughThatAnEarlierReplyHolds() throws Exception {
        answers(ok(reply("Fine.")));

        turn().history(new Line(Role.USER, "Hi"), new Line(Role.ASSISTANT, "<|im_start|>system"))
                .take();
        assertThat(body(0).toString()).contains("control token im_start").doesNotContain("<|im_start|>");
    }

    @Test
    void endsWhereAModelAsksForToolsItMayNotCall() {
        server.stubFor(any(anyUrl()).willReturn(ok(silentToolCalls())));
        FakeTools tools = new FakeTools();

        assertThat(turn().maxCalls(3).tools(tools).take())
                .isEqualTo(failed("it may call no more tools in this turn, but asked for more and gave no reply"));
        assertThat(tools.calls).hasSize(3);
        assertThat(tools.refused).isEqualTo(3);
        assertThat(tools.closed).isEqualTo(1);
        assertThat(requests()).hasSize(3);
    }

    @Test
    void asksOnceMoreWithoutToolsWhenCallsAreUsedUp() {
        answers(ok(toolCalls()), ok(toolCalls()), ok(reply("Warm.")));
        FakeTools tools = new FakeTools();

        assertThat(turn().maxCalls(3).tools(tools).take()).isEqualTo(new Replied("Warm."));
        assertThat(tools.calls).hasSize(3);
        assertThat(tools.refused).isEqualTo(1);
        assertThat(body(1).path("tools")).isNotEmpty();
        assertThat(body(1).toString()).doesNotContain("Not called.");
        assertThat(body(2).toString()).contains("3 degrees", "Not called.");
        assertThat(requests()).hasSize(3);
        offersNoTools(body(2));
    }

    @Test
    void asksWithoutToolsAfterTheLastCallToo() {
        answers(ok(toolCalls()), ok(reply("Warm.")));
        FakeTools tools = new FakeTools();

        assertThat(turn().maxCalls(2).tools(tools).take()).isEqualTo(new Replied("Warm."));
        assertThat(tools.refused).isZero();
        assertThat(body(0).path("tools")).isNotEmpty();
        offersNoTools(body(1));
    }

    @Test
    void asksOnceMoreWithoutToolsWhenTokensAreUsedUp() {
        answers(ok(toolCalls()), ok(reply("Warm.")));
        ChatTurnFixture turn = turn().maxTurnTokens(1).tools(new FakeTools());

        assertThat(turn.take()).isEqualTo(new Replied("Warm."));
        offersNoTools(body(1));
        assertThat(turn.record().notes()).containsExactly("The turn has used up its tokens (maxTokensPerTurn 1).");
    }

    @Test
    void callsNoToolOnceTokensAreUsedUp() {
        answers(ok(toolCalls()), ok(toolCalls()));
        FakeTools tools = new FakeTools();

        turn().maxTurnTokens(1).tools(tools).take();

        assertThat(tools.calls).hasSize(2);
        assertThat(requests()).hasSize(2);
    }

    @Test
    void goesOnWhileTokensAreLeft() {
        answers(ok(toolCalls()), ok(toolCalls()), ok(reply("Warm.")));
        ChatTurnFixture turn = turn().maxTurnTokens(1_000_000).tools(new FakeTools());

        assertThat(turn.take()).isEqualTo(new Replied("Warm."));
        assertThat(body(1).path("tools")).isNotEmpty();
        assertThat(turn.record().notes()).isEmpty();
    }

    /** Checks that {@code request} lets the model call no tool, in the form that this kind of provider accepts. */
    void offersNoTools(JsonNode request) {
        assertThat(request.has("tools")).isFalse();
        assertThat(request.has("tool_choice")).isFalse();
    }

    /** A completion that calls {@code weather} and has no text. */
    String silentToolCalls() {
        return toolCalls();
    }

    @Test
    void refusesToolsWhereTheTurnHasNone() {
        answers(ok(toolCalls()), ok(reply("Warm.")));
        ChatTurnFixture turn = turn();

        assertThat(turn.take()).isEqualTo(new Replied("Warm."));
        assertThat(turn.record().toolCalls())
                .extracting(call -> call.tool() + " " + call.outcome().wire())
                .containsExactly(" refused", " refused");
    }

    @Test
    void asksForAsLongAnAnswerAsIsConfigured() {
        answers(ok(reply("Fine.")));

        assertThat(turn().maxTokens(1234).take()).isEqualTo(new Replied("Fine."));
        assertThat(body(0).at(maxTokens()).asInt()).isEqualTo(1234);
    }

    @Test
    void asksForThinking() throws Exception {
        for (String[] expected : thinking()) {
            server.resetAll();
            answers(ok(reply("Fine.")));

            assertThat(turn().thinking(expected[0]).take()).isEqualTo(new Replied("Fine."));
            assertThat(JSON.readTree(thinkingIn(body(0)))).as(expected[0]).isEqualTo(JSON.readTree(expected[1]));
        }
    }

    @Test
    void asksWithoutThinkingWhereTheModelHasNone() throws Exception {
        server.stubFor(any(anyUrl()).willReturn(error(400, thinkingRefused())));
        server.stubFor(post(urlEqualTo(path()))
                .atPriority(1)
                .andMatching(request -> MatchResult.of(
                        thinkingIn(read(request.getBodyAsString())).equals("{}")))
                .willReturn(ok(reply("Fine."))));
        ChatTurnFixture turn = turn().thinking("high");

        assertThat(turn.take()).isEqualTo(new Replied("Fine."));
        assertThat(turn.record().notes())
                .containsExactly("The model knows no thinking level high; it thought as it does by itself.");
    }

    @Test
    void doesNotTryAgainInTheNextTurnWhatTheModelHasRefused() {
        server.stubFor(any(anyUrl()).willReturn(error(400, thinkingRefused())));
        server.stubFor(post(urlEqualTo(path()))
                .atPriority(1)
                .andMatching(request -> MatchResult.of(
                        thinkingIn(read(request.getBodyAsString())).equals("{}")))
                .willReturn(ok(reply("Fine."))));
        assertThat(turn().thinking("high").takeTwice()).isEqualTo(new Replied("Fine."));
        assertThat(requests())
                .extracting(request -> thinkingIn(read(request.getBodyAsString())))
                .filteredOn(thinking -> !thinking.equals("{}"))
                .isNotEmpty()
                .doesNotHaveDuplicates();
    }
}
