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

/** A server for the turns of one kind of provider. */
abstract class StubServer {

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
