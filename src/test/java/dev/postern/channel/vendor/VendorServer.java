package dev.postern.channel.vendor;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import com.github.tomakehurst.wiremock.stubbing.ServeEvent;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import dev.postern.channel.Channel;
import dev.postern.channel.Channel.Message;
import dev.postern.channel.Channel.Outcome;
import dev.postern.channel.Channel.Outcome.Later;
import dev.postern.channel.Channel.Outcome.Refused;
import dev.postern.channel.Channel.Outcome.Unsure;
import dev.postern.config.Settings;
import dev.postern.model.RunState;
import dev.postern.model.Secret;
import dev.postern.net.HttpConnections;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A server that responds like a chat product's own, and the form of the product's requests. */
abstract class VendorServer {

    static final String SECRET = "7:marzipan-and-quince";
    static final String TEXT = "what the private rhubarb says";
    static final Instant NOW = Instant.parse("2026-11-22T05:00:00Z");

    /** The time when each delivery was created. */
    static final Instant CREATED = NOW.minusMillis(90_500);

    final WireMockServer server = new WireMockServer(WireMockConfiguration.options()
            .dynamicPort()
            .dynamicHttpsPort()
            .bindAddress("127.0.0.1")
            .jettyStopTimeout(1L));
    final VendorFile file = new VendorFile(kind());
    private final ExecutorService executor = Executors.newFixedThreadPool(2);
    private final HttpConnections connections = new HttpConnections(executor);

    @BeforeEach
    void start() {
        server.start();
    }

    @AfterEach
    void stop() {
        connections.close();
        executor.shutdown();
        if (server.isRunning()) { // a test may have stopped it, and stopping it twice sometimes fails
            server.stop();
        }
    }

    abstract String kind();

    /** The URL of the server. */
    final String url() {
        return "http://127.0.0.1:" + server.port();
    }

    /** The setting that holds {@link #SECRET}. */
    abstract String credential();

    /** A recipient in the form that the product accepts. */
    abstract String to();

    /** The path of a request for {@link #to}, with its query. */
    abstract String path();

    /** The header that carries the credential, and its value; empty for none. */
    abstract Map<String, String> credentialHeader();

    /** The pointer to the schema of a request's body in the product's description. */
    abstract String bodySchema();

    /** The message's id in {@code body}, that of a response that is {@code ok}. */
    abstract String messageId(JsonNode body);

    /** The operation whose responses are used; empty for the description's first one. */
    String operation() {
        return "";
    }

    /** The settings beside {@code baseUrl} and {@code textLimit}. */
    Map<String, String> options() {
        return Map.of();
    }

    /** Prepares the server for requests before that of a message. */
    void prepare() {}

    /** The value of the header {@code User-Agent}. */
    String agent() {
        return "Postern/1.2.3";
    }

    /** The entry {@code ops} of a service at {@code baseUrl}. */
    ChannelEntry entry(String baseUrl) {
        Map<String, String> options = new HashMap<>(options());
        options.put("baseUrl", baseUrl);
        options.put("textLimit", "2000");
        return new ChannelEntry(new Settings.Channel("ops", kind(), options, Map.of(credential(), new Secret(SECRET))));
    }

    final VendorHttpClient http() {
        return http(InstantSource.fixed(NOW));
    }

    final VendorHttpClient http(InstantSource clock) {
        return new VendorHttpClient(connections, clock, "1.2.3");
    }

    /** The channel of {@code entry}, with its normal time-out. */
    final Channel channel(ChannelEntry entry) {
        return new ChannelFactory(http()).channel(entry);
    }

    /** The channel of {@code entry}, with a short time-out. */
    Channel impatient(ChannelEntry entry) {
        return new ChannelFactory(http().withTimeout(Duration.ofMillis(300))).channel(entry);
    }

    final Channel channel() {
        return channel(entry(url()));
    }

    static Message message(String to) {
        return new Message("dlv_1", "run_1", RunState.SUCCEEDED, "main", to, CREATED, 2, 3, TEXT, false);
    }

    /** Makes the server respond with {@code answer} to every message, and removes its other responses. */
    final void answer(ResponseDefinitionBuilder answer) {
        server.resetAll();
        server.stubFor(any(anyUrl()).willReturn(answer));
        prepare();
    }

    final Outcome send() {
        return channel().send(message(to()));
    }

    static ResponseDefinitionBuilder status(int status) {
        return aResponse()
                .withStatus(status)
                .withHeader("Content-Type", "text/html")
                .withBody("<p>" + TEXT);
    }

    /** The requests in their order; the server lists its events latest first, and some have the same time. */
    final List<LoggedRequest> requests() {
        List<ServeEvent> events = new ArrayList<>(server.getAllServeEvents());
        Collections.reverse(events);
        return events.stream()
                .map(ServeEvent::getRequest)
                .sorted(Comparator.comparing(LoggedRequest::getLoggedDate))
                .toList();
    }

    /** The body of the request number {@code index}, from 0. */
    final JsonNode body(int index) throws IOException {
        return VendorFile.JSON.readTree(requests().get(index).getBodyAsString());
    }

    /** The reason of an outcome other than {@code Sent}. */
    static String reason(Outcome outcome) {
        if (outcome instanceof Later later) {
            return later.reason();
        }
        return outcome instanceof Unsure unsure ? unsure.reason() : ((Refused) outcome).reason();
    }
}
