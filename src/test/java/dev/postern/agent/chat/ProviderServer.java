package dev.postern.agent.chat;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import com.github.tomakehurst.wiremock.stubbing.Scenario;
import com.github.tomakehurst.wiremock.stubbing.ServeEvent;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import dev.postern.agent.TurnResult.Failed;
import dev.postern.agent.TurnResult.ProviderDown;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A server that speaks a provider's published API, with samples of the provider's requests and responses. */
abstract class ProviderServer {

    static final ObjectMapper JSON = new ObjectMapper();

    final WireMockServer server = new WireMockServer(WireMockConfiguration.options()
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

    /** The path of the requests. */
    abstract String path();

    /** The header that carries the key, with its value. */
    abstract String[] keyHeader();

    /** A completion with {@code text}, for 11 tokens in and 7 out. */
    abstract String reply(String text);

    /** A reply that was cut at the output limit. */
    abstract String cutReply(String text);

    /** A completion without any text. */
    abstract String empty();

    /** A completion with thoughts beside the {@code text}. */
    abstract String thoughtful(String thought, String text);

    /** A completion that calls {@code weather} for Rome and for Oslo. */
    abstract String toolCalls();

    /** A request with instructions {@code Be brief.}, a past of {@code Hi}, {@code Hello}, and {@code How are you?}. */
    abstract String request();

    /** {@code What is …?} with the tool {@code weather}, and after it the calls and their results. */
    abstract String requestWithResults();

    /** An error in this provider's words, for a model that does not think. */
    abstract String thinkingRefused();

    /** An error in this provider's words, for a conversation that is too long for its model. */
    abstract String lengthRefused();

    /** The JSON pointer to a request's limit of output tokens. */
    abstract String maxTokens();

    /** The part of a request that asks for thinking, as JSON; an empty object for none. */
    abstract String thinkingIn(JsonNode request);

    /** Pairs of a level and the result of {@link #thinkingIn} for its request; null for no level. */
    abstract String[][] thinking();

    final ChatTurnFixture turn() {
        return new ChatTurnFixture(kind(), server.baseUrl() + prefix());
    }

    /** The end of the configured address. */
    abstract String prefix();

    final Failed failed(String how) {
        return new Failed("model mine/large (kind " + kind() + "): " + how);
    }

    final ProviderDown down(String how, Duration pause) {
        return new ProviderDown("model mine/large (kind " + kind() + "): " + how, pause);
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

    /** Gives the responses to one request after the other. */
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

    static JsonNode read(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }
}
