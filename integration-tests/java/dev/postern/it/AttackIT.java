package dev.postern.it;

import static dev.postern.it.ResponseAssert.assertThatResponse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A test of each attack that is one request. */
class AttackIT extends DeploymentFixture {

    /** What servers take that others refuse, and that does no harm here. */
    private static final Map<String, Set<String>> TAKEN =
            Map.of("liberty", Set.of("method-post", "two-hosts"), "glassfish", Set.of("two-hosts"));

    /** What Grizzly logs of chunks that are none. */
    private static final String BROKEN_CHUNK = "HttpBrokenContentException";

    @Deployment(testable = false)
    static WebArchive postern() {
        return DeploymentHome.with("attack", List.of("tokenHeaders: [x-openclaw-token]"))
                .war();
    }

    static Stream<HttpAttack> attacks() {
        return HttpAttack.all().filter(attack -> attack.sequence() == null);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("attacks")
    void comesToNothing(HttpAttack attack) throws IOException {
        assumeFalse(
                TAKEN.getOrDefault(DeploymentHost.server(), Set.of()).contains(attack.name()), "this server takes it");
        long before = metrics().accepted();
        try (LogCapture log = host().log();
                RawConnection rawConnection = connection()) {
            rawConnection.send(attack.bytes(contextPath(), site().getAuthority(), token()));

            Optional<RawResponse> answer = rawConnection.answer();
            boolean isOurs = answer.filter(AttackIT::isOurs).isPresent();

            assertThat(answer.map(given -> attack.accepts(given.status())).orElse(attack.allowsClose()))
                    .as("%s, %s: %s", attack, attack.why(), answer)
                    .isTrue();
            if (isOurs) {
                assertThat(answer.get().body())
                        .as(attack.name())
                        .doesNotContain(token(), "\tat ", "dev.postern", "Exception", "<script>", "<img");
            }
            if (answer.filter(given -> given.status() == 101).isPresent()) {
                await().until(() -> metrics().accepted() > before); // in the other protocol
            }
            assertThatResponse(wake("{\"text\":\"still there?\"}").send()).isOk(200);
            assertThat(metrics().accepted() - before).as(attack.name()).isBetween(1L, attack.run() ? 2L : 1L);
            assertThat(log.lines()).as(attack.name()).noneMatch(line -> line.contains(token()));
            if (isOurs) {
                assertThat(log.alarms()).as(attack.name()).allMatch(line -> line.contains(BROKEN_CHUNK));
            }
        }
    }

    /** What a server refuses before a web application sees it, it answers, and logs, in its own words. */
    private static boolean isOurs(RawResponse rawResponse) {
        return rawResponse.header("X-Content-Type-Options").isPresent();
    }

    private String contextPath() {
        return site().getPath().substring(0, site().getPath().length() - 1);
    }
}
