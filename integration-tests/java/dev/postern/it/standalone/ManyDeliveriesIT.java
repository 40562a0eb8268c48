package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.postern.it.ProofReport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A test of many texts that hooks deliver without an agent, to several rooms at once. {@code -Dit.flood.deliveries=100000}
 * is the long one.
 */
@Tag("long")
@Tag("flood")
@Timeout(3_600)
class ManyDeliveriesIT {

    private static final int DELIVERIES = Integer.getInteger("it.flood.deliveries", 2_000);
    private static final int ROOMS = 16;
    private static final Duration LONGEST = Duration.ofMinutes(50);
    private static final Pattern ROOM = Pattern.compile("\"channel\":\"(C[0-9]+)\"");
    private static final Pattern TEXT = Pattern.compile("\"text\":\"t([0-9]+)\"");
    private static final byte[] SENT = "{\"ok\":true,\"ts\":\"1.2\"}".getBytes(StandardCharsets.UTF_8);

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    private final Map<String, List<Integer>> byRoom = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer slack;

    @BeforeEach
    void startSlack() throws IOException {
        slack = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        slack.setExecutor(threads);
        slack.createContext("/chat.postMessage", this::take);
        slack.start();
    }

    @AfterEach
    void stopSlack() {
        slack.stop(0);
        threads.shutdownNow();
    }

    @Test
    void arriveInTheOrderOfTheirRoomAndSpendNothing() throws Exception {
        PosternProcess postern = homeFixtureExtension
                .newHome()
                .settings(
                        HomeFixture.hooks(
                                "maxPending: 500000",
                                "mappings: [{id: red, match: {path: red}, action: deliver, template: '{{payload.t}}',"
                                        + " channel: ops, to: '{{payload.room}}'}]"),
                        "channels: {ops: {kind: slack, botToken: xoxb-ops, baseUrl: 'http://127.0.0.1:"
                                + slack.getAddress().getPort() + "'}}")
                .start();

        long began = System.nanoTime();
        int each = DELIVERIES / ROOMS;
        List<Future<?>> senders = new ArrayList<>();
        for (int i = 0; i < ROOMS; i++) {
            String room = String.format("C%09d", i);
            senders.add(threads.submit(() -> send(postern.sender(), room, each)));
        }
        for (Future<?> sender : senders) {
            sender.get();
        }
        Duration accepted = Duration.ofNanos(System.nanoTime() - began);
        await("deliveries").atMost(LONGEST).until(() -> received() == each * ROOMS);
        Duration delivered = Duration.ofNanos(System.nanoTime() - began);

        List<Integer> inOrder = IntStream.range(0, each).boxed().toList();
        assertThat(byRoom).hasSize(ROOMS).allSatisfy((room, texts) -> assertThat(texts)
                .isEqualTo(inOrder));
        String metrics = postern.sender()
                .withToken(null)
                .get(postern.base().resolve("metrics").toString())
                .body();
        assertThat(metrics)
                .contains("postern_accepted_total{action=\"deliver\"} " + each * ROOMS)
                .contains("postern_tokens_total{direction=\"input\"} 0", "postern_tokens_total{direction=\"output\"} 0")
                .doesNotContain("postern_turn_tokens_total{");
        ProofReport.add(
                "flood",
                String.format(
                        "%d texts to %d rooms, each in its order and without a token: accepted in %d s, delivered in %d s",
                        each * ROOMS, ROOMS, accepted.toSeconds(), delivered.toSeconds()));
    }

    private static Void send(HookSender sender, String room, int count) throws IOException, InterruptedException {
        for (int i = 0; i < count; i++) {
            assertThat(sender.post("red", "{\"t\":\"t" + i + "\",\"room\":\"" + room + "\"}")
                            .status())
                    .isEqualTo(202);
        }
        return null;
    }

    private int received() {
        return byRoom.values().stream().mapToInt(List::size).sum();
    }

    private void take(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        Matcher room = ROOM.matcher(body);
        Matcher text = TEXT.matcher(body);
        if (room.find() && text.find()) {
            byRoom.computeIfAbsent(room.group(1), any -> Collections.synchronizedList(new ArrayList<>()))
                    .add(Integer.valueOf(text.group(1)));
        }
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, SENT.length);
        try (exchange) {
            exchange.getResponseBody().write(SENT);
        }
    }
}
