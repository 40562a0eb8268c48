package dev.postern.it.standalone;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.it.standalone.WakeProbe.WakeTimes;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A test of endless bodies at each address of a Postern with a heap of 256 MiB. Postern survives, and answers a wake
 * meanwhile. The bodies come in the three ways that hold a thread or memory where a server reads bodies by itself.
 */
@Tag("alone")
class BodyFloodIT {

    private static final int LARGEST = 262_144;
    private static final Duration HELD = Duration.ofSeconds(3);
    private static final Duration LONGEST_ANSWER = TimeBound.of(Duration.ofSeconds(1));

    private static final String WAKE = "{\"text\":\"still there\",\"mode\":\"next-heartbeat\"}";

    private static final String LARGE_WAKE = WAKE + " ".repeat(LARGEST - WAKE.length());

    @RegisterExtension
    static final HomeFixtureExtension HOMES = HomeFixtureExtension.ofClass();

    private static FloodTarget target;
    private static PosternProcess postern;

    private final List<SocketChannel> connections = new ArrayList<>();

    /** A body that never ends. */
    private record Flood(int senders, int announced, int sent) {}

    private static final List<Flood> FLOODS =
            List.of(new Flood(1_500, LARGEST, 261_000), new Flood(300, 4_000, 1), new Flood(300, 2_097_152, 0));

    @AfterEach
    void hangUp() throws IOException {
        for (SocketChannel connection : connections) {
            connection.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void answersAWakeWhileBodiesNeverEnd(FloodAddress address) throws Exception {
        start();
        WakeTimes times;
        try (WakeProbe wakes = WakeProbe.start(postern.base())) {
            for (Flood flood : FLOODS) {
                ByteBuffer start = ByteBuffer.wrap(
                        (target.head(address, flood.announced()) + " ".repeat(flood.sent())).getBytes(ISO_8859_1));
                for (int i = 0; i < flood.senders(); i++) {
                    connections.add(send(start.duplicate()));
                }
            }
            int before = wakes.count();
            await().atMost(Duration.ofSeconds(60)).during(HELD).until(() -> wakes.count() >= before);
            times = wakes.stop();
            assertThat(times.ascending()).hasSizeGreaterThan(before);
        }

        assertThat(times.slowest()).as(address + ": the slowest wake").isLessThan(LONGEST_ANSWER);
        assertThat(answers()
                        .anyMatch(answer -> answer.startsWith("HTTP/1.1 503 ")
                                && answer.contains("Retry-After: ")
                                && answer.contains("\"overloaded\"")))
                .as("told that there is no room for more")
                .isEqualTo(address.takesLargeBodies());
        for (SocketChannel connection : connections) { // and now all end at the same moment
            send(connection, ByteBuffer.wrap(" ".repeat(LARGEST - 261_000).getBytes(ISO_8859_1)));
        }
        WakeProbe.wake(postern.base());
        assertThat(postern.isAlive()).isTrue();
        assertThat(postern.log()).doesNotContain("OutOfMemoryError");
        hangUp();
        await().until(() -> postern.sender().post("wake", LARGE_WAKE).status() == 200);
    }

    /** What the connections have been sent so far, as far as it is here. */
    private Stream<String> answers() {
        return connections.stream().map(connection -> {
            ByteBuffer answer = ByteBuffer.allocate(1_000);
            try {
                connection.read(answer);
            } catch (IOException serverHungUp) {
                return "";
            }
            return new String(answer.array(), 0, answer.position(), ISO_8859_1);
        });
    }

    private static void start() throws IOException {
        if (target == null) {
            target = FloodTarget.start(HOMES.newHome());
            postern = target.postern();
        }
    }

    private static SocketChannel send(ByteBuffer bytes) throws IOException {
        URI base = postern.base();
        SocketChannel connection = SocketChannel.open();
        connection.setOption(StandardSocketOptions.SO_SNDBUF, 2 * LARGEST);
        connection.connect(new InetSocketAddress(base.getHost(), base.getPort()));
        connection.configureBlocking(false);
        send(connection, bytes);
        return connection;
    }

    /** Sends as much as the server takes without being waited for. */
    private static void send(SocketChannel connection, ByteBuffer bytes) {
        try {
            int written = 1;
            while (bytes.hasRemaining() && written > 0) {
                written = connection.write(bytes);
            }
        } catch (IOException serverHungUp) {
            assertThat(serverHungUp).hasMessageMatching("Broken pipe|Connection reset.*");
        }
    }
}
