package dev.postern.it;

import static dev.postern.it.ResponseAssert.assertThatResponse;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A test of each attack that takes several requests. It opens 300 connections where an attack says 200 to 2,000, which
 * is more than the servers have threads. The deadline for bodies is 2 s.
 */
class AttackSequenceIT extends DeploymentFixture {

    /** They need a trusted proxy or another clock; unit tests of {@code dev.postern.access} have them. */
    private static final Set<String> ELSEWHERE = Set.of(
            "throttle-1M-addresses", "throttle-clock-back", "throttle-window-edge", "throttle-trusted-proxy-rightmost");

    private static final int CROWD = 300;
    private static final int FAILURES = 20;
    private static final String WAKE = "{\"text\":\"hello\"}";

    private final List<RawConnection> connections = new ArrayList<>();
    private int served;

    @Deployment(testable = false)
    static WebArchive postern() {
        return DeploymentHome.with("attack-sequence", List.of("bodyTimeoutSeconds: 2"))
                .war();
    }

    static Stream<HttpAttack> attacks() {
        return HttpAttack.all().filter(attack -> attack.sequence() != null && !ELSEWHERE.contains(attack.name()));
    }

    @AfterEach
    void hangUp() throws IOException {
        for (RawConnection rawConnection : connections) {
            rawConnection.close();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("attacks")
    void comesToNothing(HttpAttack attack) throws IOException {
        long before = metrics().accepted();
        try (LogCapture log = host().log()) {
            if (attack.header() != null) {
                disguise(attack);
            } else {
                switch (attack.name()) {
                    case "idem-diff-body" -> useAKeyTwice(attack);
                    case "slow-body" ->
                        crowd(attack, head("POST hooks/wake", bearer(), "Content-Length: 262144") + "{");
                    case "slow-expect-100-never" ->
                        crowd(attack, head("POST hooks/wake", bearer(), "Content-Length: 9", "Expect: 100-continue"));
                    case "slow-half-close" -> hangUpHalf();
                    case "slow-idle-keepalive" -> crowdAlone("");
                    case "slow-rst-mid-body" -> breakOff();
                    case "slowloris-headers" -> crowdAlone("POST /hooks/wake HTTP/1.1\r\nHost: ");
                    default -> throw new AssertionError("unknown: " + attack.sequence());
                }
            }
            assertThatResponse(wake(WAKE).send()).isOk(200);
            assertThat(metrics().accepted() - before - served).as(attack.name()).isBetween(1L, attack.run() ? 2L : 1L);
            assertThat(log.alarms()).as(attack.name()).isEmpty();
        }
    }

    private void useAKeyTwice(HttpAttack attack) {
        int first = wake(WAKE).header("Idempotency-Key", "k").send().status();
        int second =
                wake("{\"text\":\"b\"}").header("Idempotency-Key", "k").send().status();

        assertThat(attack.accepts(first) && attack.accepts(second)).isTrue();
        assertThat(second).isNotEqualTo(200);
    }

    /** Sends {@code start} on many connections; each is answered rightly, or closed, in the end. */
    private void crowd(HttpAttack attack, String start) throws IOException {
        for (int i = 0; i < CROWD; i++) {
            open().send(start);
        }
        assertThatResponse(wake(WAKE).send()).isOk(200);
        served++;
        for (RawConnection rawConnection : connections) {
            rawConnection.answer().ifPresent(rawResponse -> assertThat(attack.accepts(rawResponse.status()))
                    .as("%s: %s", attack, rawResponse)
                    .isTrue());
        }
    }

    /** As {@link #crowd}, where it is the server's to get rid of the connections. */
    private void crowdAlone(String start) throws IOException {
        for (int i = 0; i < CROWD; i++) {
            open().send(start);
        }
    }

    private void hangUpHalf() throws IOException {
        for (int i = 0; i < 20; i++) {
            open().send(head("POST hooks/wake", bearer(), "Content-Length: 9")).end();
        }
        for (RawConnection rawConnection : connections) {
            rawConnection.answer().ifPresent(rawResponse -> assertThat(rawResponse.status())
                    .isIn(400, 408));
        }
    }

    private void breakOff() throws IOException {
        for (int i = 0; i < CROWD; i++) {
            open().send(head("POST hooks/wake", bearer(), "Content-Length: 9") + "{")
                    .reset();
        }
    }

    /** Fails 60 times from one address, each time with another value in the attack's header. */
    private void disguise(HttpAttack attack) throws IOException {
        String client = "127.0.2." + (1 + Math.floorMod(attack.name().hashCode(), 250));
        for (int i = 0; i < 60; i++) {
            String header = attack.header().replace("{I}", "" + i).replace("{J}", "" + i);
            try (RawConnection rawConnection = RawConnection.to(site(), client)) {
                RawResponse rawResponse = rawConnection
                        .send(head("POST hooks/wake", "Authorization: Bearer wrong", header, "Content-Length: 0"))
                        .answer()
                        .orElseThrow();

                assertThat(rawResponse.status()).as("%s, %s", attack, i).isEqualTo(i < FAILURES ? 401 : 429);
            }
        }
    }

    private RawConnection open() throws IOException {
        RawConnection rawConnection = connection();
        connections.add(rawConnection);
        return rawConnection;
    }
}
