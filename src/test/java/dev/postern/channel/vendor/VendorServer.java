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
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A server that answers as a chat product's own does, and what the product's requests look like. */
abstract class VendorServer {

    static final String SECRET = "7:marzipan-and-quince";
    static final String TEXT = "what the private rhubarb says";
    static final Instant NOW = Instant.parse("2026-11-22T05:00:00Z");

    /** When each delivery was created. */
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
        if (server.isRunning()) { // and not stopped by the test, which the server takes amiss now and then
            server.stop();
        }
    }

    abstract String kind();

    /** Where the server is. */
    final String url() {
        return "http://127.0.0.1:" + server.port();
    }

    /** The setting that holds {@link #SECRET}. */
    abstract String credential();

    /** A recipient as the product wants it. */
    abstract String to();

    /** What the request for {@link #to} is posted to, with its query. */
    abstract String path();

    /** The header that carries the credential, and its value; empty for none. */
    abstract Map<String, String> credentialHeader();

    /** Where in the product's description the schema of a request's body is. */
    abstract String bodySchema();

    /** What {@code body}, an answer that is {@code ok}, calls the message. */
    abstract String messageId(JsonNode body);

    /** Which of the description's answers are meant: empty for those to its first operation. */
    String operation() {
        return "";
    }

    /** The settings beside {@code baseUrl} and {@code textLimit}. */
    Map<String, String> options() {
        return Map.of();
    }

    /** Has the server answer what comes before a message. */
    void prepare() {}

    /** What we call ourselves. */
    String agent() {
        return "Postern/1.2.3";
    }

    /** The entry called {@code ops} of a service at {@code baseUrl}. */
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

    /** The channel of {@code entry}, with a time-out of its own. */
    final Channel channel(ChannelEntry entry) {
        return new ChannelFactory(http()).channel(entry);
    }

    /** The same with a short one. */
    Channel impatient(ChannelEntry entry) {
        return new ChannelFactory(http().within(Duration.ofMillis(300))).channel(entry);
    }

    final Channel channel() {
        return channel(entry(url()));
    }

    static Message message(String to) {
        return new Message("dlv_1", "run_1", RunState.SUCCEEDED, "main", to, CREATED, 2, 3, TEXT);
    }

    /** Has every message answered with {@code answer}, and nothing else. */
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

    final List<LoggedRequest> requests() {
        return server.getAllServeEvents().stream()
                .map(ServeEvent::getRequest)
                .sorted(Comparator.comparing(LoggedRequest::getLoggedDate))
                .toList();
    }

    /** The body of a request, from 0. */
    final JsonNode body(int index) throws IOException {
        return VendorFile.JSON.readTree(requests().get(index).getBodyAsString());
    }

    /** The reason of anything but a message that was sent. */
    static String reason(Outcome outcome) {
        if (outcome instanceof Later later) {
            return later.reason();
        }
        return outcome instanceof Unsure unsure ? unsure.reason() : ((Refused) outcome).reason();
    }
}
