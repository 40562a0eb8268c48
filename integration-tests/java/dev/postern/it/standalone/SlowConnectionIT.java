package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.it.ProofReport;
import dev.postern.it.standalone.WakeProbe.WakeTimes;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A test of wakes while many connections at each address of a Postern with a heap of 256 MiB are slow or idle.
 * {@code -Dit.flood.slow=2000 -Dit.flood.idle=10000 -Dit.flood.wakes=300} is the long one.
 */
@Tag("long")
@Tag("flood")
@Timeout(300)
class SlowConnectionIT {

    private static final int SLOW = Integer.getInteger("it.flood.slow", 200);
    private static final int IDLE = Integer.getInteger("it.flood.idle", 1_000);
    private static final int WAKES = Integer.getInteger("it.flood.wakes", 20);
    private static final Duration BYTE_INTERVAL = Duration.ofMillis(200);
    private static final Duration LONGEST = Duration.ofSeconds(200);
    private static final Duration LONGEST_WAKE = TimeBound.of(Duration.ofSeconds(1));

    /** Enough for responses beyond any window; of the largest, for more than the server can leave to the system. */
    private static final int PIPELINED = 20;

    @RegisterExtension
    static final HomeFixtureExtension HOMES = HomeFixtureExtension.ofClass();

    private static FloodTarget target;
    private static PosternProcess postern;

    /** A way to be slow: the text that is sent at once, and the rest, which is sent byte by byte. */
    private enum Slowness {
        HEAD {
            @Override
            SlowConnections open(FloodAddress address) throws IOException {
                String head = head(address, 0);
                int begun = head.indexOf("\r\n") + 2;
                return connections().open(SLOW, head.substring(0, begun), "X-Slow: " + "x".repeat(4_000));
            }
        },
        SMALL_BODY {
            @Override
            SlowConnections open(FloodAddress address) throws IOException {
                return connections().open(SLOW, head(address, 4_000), "{" + " ".repeat(3_998));
            }
        },
        LARGE_BODY {
            @Override
            SlowConnections open(FloodAddress address) throws IOException {
                return connections().open(SLOW, head(address, 262_144) + "{" + " ".repeat(200_000), " ".repeat(4_000));
            }
        },
        UNREAD_RESPONSE {
            @Override
            SlowConnections open(FloodAddress address) throws IOException {
                return connections().open(SLOW, head(address, 0).repeat(PIPELINED), "");
            }
        };

        abstract SlowConnections open(FloodAddress address) throws IOException;

        private static SlowConnections connections() {
            return new SlowConnections(postern.base());
        }

        private static String head(FloodAddress address, int announced) throws IOException {
            return target.head(address, announced);
        }
    }

    private enum Idleness {
        NEW(""),
        KEPT_ALIVE("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n");

        private final String first;

        Idleness(String first) {
            this.first = first;
        }
    }

    @ParameterizedTest
    @EnumSource
    void answersWakesWhileConnectionsAtEachAddressAreSlow(Slowness slowness) throws Exception {
        start();
        WakeTimes slowest = null;
        for (FloodAddress address : FloodAddress.values()) {
            try (SlowConnections connections = slowness.open(address)) {
                WakeTimes times = wakesBeside(connections, address + ", " + slowness);
                slowest = slowest == null || times.isSlowerThan(slowest) ? times : slowest;
            }
        }
        report(SLOW + " connections at the worst address", slowness, slowest);
    }

    @ParameterizedTest
    @EnumSource
    void answersWakesWhileConnectionsAreIdle(Idleness idleness) throws Exception {
        start();
        try (SlowConnections connections = new SlowConnections(postern.base())) {
            connections.open(IDLE, idleness.first, "");
            report(IDLE + " idle connections", idleness, wakesBeside(connections, "idle, " + idleness));
        }
    }

    private static WakeTimes wakesBeside(SlowConnections connections, String flood) throws Exception {
        WakeTimes times;
        try (WakeProbe wakes = WakeProbe.start(postern.base())) {
            await(flood).atMost(LONGEST).pollInterval(BYTE_INTERVAL).until(() -> {
                connections.drip();
                return wakes.count() >= WAKES;
            });
            times = wakes.stop();
        }
        System.out.println(flood + ": " + times);
        assertThat(times.percentile(99)).as("%s: %s", flood, times).isLessThan(LONGEST_WAKE);
        connections.close();
        assertThat(WakeProbe.wake(postern.base())).as("after " + flood).isLessThan(LONGEST_WAKE);
        assertThat(postern.log()).doesNotContain("OutOfMemoryError", "\tat ");
        return times;
    }

    private static void report(String connections, Enum<?> way, WakeTimes slowest) {
        String name = way.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        ProofReport.add("flood", connections + " (" + name + "): " + slowest);
    }

    private static void start() throws IOException {
        if (target == null) {
            target = FloodTarget.start(HOMES.newHome());
            postern = target.postern();
        }
    }
}
