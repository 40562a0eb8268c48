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
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A server that speaks a provider's published API, and what the provider's requests and answers look like. */
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

    /** An error as this provider words it, for a conversation that its model has no room for. */
    abstract String lengthRefused();

    /** Where a request says how long the answer may be, as a JSON pointer. */
    abstract String maxTokens();

    /** The part of a request that asks for thinking, as JSON; an empty object for none. */
    abstract String thinkingIn(JsonNode request);

    /** Level and what {@link #thinkingIn} makes of its request; null for no level. */
    abstract String[][] thinking();

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

    static JsonNode read(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }
}
