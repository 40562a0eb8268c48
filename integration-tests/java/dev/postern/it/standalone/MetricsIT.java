package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A test that each metric measures what its name says, after work that leaves another number in each of them. */
class MetricsIT {

    private static final Duration LONGEST = Duration.ofSeconds(90);
    private static final Pattern FIGURE = Pattern.compile("^(postern_\\S+) (\\S+)$", Pattern.MULTILINE);
    private static final String QUIETLY = ",\"agentId\":\"ops\",\"wakeMode\":\"next-heartbeat\"";

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    private PosternProcess postern;

    @Test
    void eachTellsOfItsOwn() throws Exception {
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settingsWithProgram(
                        HomeFixture.hooks(),
                        "maxConcurrent: 1, defaults: {model: program/x}, list: [{id: main, model: nowhere/x}, {id: ops}]");
        postern = home.start();
        run("nothing to tell", ",\"agentId\":\"ops\"");
        awaitMetric("postern_heartbeats_total", 1);
        run("hello", ",\"agentId\":\"ops\"");
        awaitMetric("postern_heartbeats_total", 2);
        for (int i = 0; i < 2; i++) {
            run("hello", QUIETLY);
            run("hello", QUIETLY + ",\"channel\":\"slack\",\"to\":\"C1\"");
        }
        for (int i = 0; i < 3; i++) {
            run("break", QUIETLY);
        }
        run("always slow", QUIETLY + ",\"timeoutSeconds\":1");
        assertThat(postern.sender().post("wake", "{\"text\":\"in vain\"}").status())
                .isEqualTo(200);
        awaitMetric("postern_failed_heartbeats_total", 1);
        assertThat(postern.sender().withToken("wrong").post("wake", "{}").status())
                .isEqualTo(401);

        queue("wait for go"); // and so nothing else has a turn, as there is one at a time
        awaitMetric("postern_running", 1);
        for (int i = 0; i < 5; i++) {
            queue("hello");
        }
        await().until(() -> figures().get("postern_oldest_waiting_seconds{kind=\"run\"}") > 0);

        Map<String, Double> figures = figures();
        assertThat(figures)
                .containsEntry("postern_accepted_total{action=\"wake\"}", 1.0)
                .containsEntry("postern_accepted_total{action=\"agent\"}", 16.0)
                .containsEntry("postern_refused_total{code=\"unauthorized\"}", 1.0)
                .containsEntry("postern_refused_total{code=\"throttled\"}", 0.0)
                .containsEntry("postern_pending", 7.0)
                .containsEntry("postern_running", 1.0)
                .containsEntry("postern_runs_total{state=\"succeeded\"}", 6.0)
                .containsEntry("postern_runs_total{state=\"failed\"}", 3.0)
                .containsEntry("postern_runs_total{state=\"timed_out\"}", 1.0)
                .containsEntry("postern_runs_total{state=\"cancelled\"}", 0.0)
                .containsEntry("postern_interrupted_runs_total", 0.0)
                .containsEntry("postern_heartbeats_total", 2.0)
                .containsEntry("postern_failed_heartbeats_total", 1.0)
                .containsEntry("postern_deliveries_total{state=\"delivered\"}", 3.0)
                .containsEntry("postern_deliveries_total{state=\"failed\"}", 2.0)
                .containsEntry("postern_deliveries_total{state=\"suppressed\"}", 1.0)
                .containsEntry("postern_pending_deliveries", 0.0);
        assertThat(figures.get("postern_commits_total")).isGreaterThan(30);
        assertThat(figures.get("postern_commit_batch_size")).isBetween(1.0, 10.0);
        assertThat(figures.get("postern_commit_seconds")).isBetween(1e-6, 0.9);
        assertThat(figures.get("postern_oldest_waiting_seconds{kind=\"run\"}"))
                .isLessThan(figures.get("postern_oldest_waiting_seconds{kind=\"event\"}") - 0.5);
        assertThat(Files.readString(Path.of("src/docs/metrics.md")))
                .contains(figures.keySet().stream()
                        .map(name -> "`" + name.replaceFirst("\\{.*", ""))
                        .toList());
        home.file("agents/ops/go", "");
        assertThat(postern.stop()).isZero();
    }

    @Test
    void tellsOfJoinedRequestsAndBudgets() throws Exception {
        postern = homeFixtureExtension
                .newHome()
                .settings(
                        HomeFixture.hooks("mappings: [{id: down, match: {path: down}, messageTemplate: x,"
                                + " coalesce: {key: k, window: 1m}}]"),
                        "metrics: anyone",
                        "budgets: {few: {for: {hook: agent}, runs: 2, per: 1h}}")
                .start();
        for (int i = 0; i < 3; i++) {
            assertThat(postern.sender().post("down", "{}").status()).isEqualTo(202);
        }
        run("one", "");
        awaitMetric("postern_budget_used_ratio{budget=\"few\"}", 0.5);
        run("two", "");
        queue("three");
        awaitMetric("postern_runs_held_by_budgets", 1);

        Map<String, Double> figures = figures();
        assertThat(figures)
                .containsEntry("postern_coalesced_requests_total{mapping=\"down\"}", 2.0)
                .containsEntry("postern_budget_used_ratio{budget=\"few\"}", 1.0)
                .containsEntry("postern_budget_warnings_total{budget=\"few\"}", 1.0)
                .containsEntry("postern_runs_waiting_for_provider", 0.0);
        assertThat(Files.readString(Path.of("src/docs/metrics.md")))
                .contains(figures.keySet().stream()
                        .map(name -> "`" + name.replaceFirst("\\{.*", ""))
                        .toList());
    }

    @Test
    void areShownToTheOneUserWhoHasThePasswordOfTheHome() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome().settings(HomeFixture.hooks(), "metrics: viewer");
        HookSender nobody = home.start().sender().withToken(null);
        Path file = home.directory().resolve("secrets/console-password");

        PosternResponse refused = nobody.get("/metrics");
        PosternResponse wrong = nobody.get("/metrics", List.of("Authorization", basic("operator:wrong")));
        PosternResponse shown = nobody.get(
                "/metrics",
                List.of(
                        "Authorization",
                        basic("operator:" + Files.readString(file).strip())));

        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.header("WWW-Authenticate")).startsWith("Basic ");
        assertThat(wrong.status()).isEqualTo(401);
        assertThat(shown.status()).isEqualTo(200);
        assertThat(shown.body()).contains("postern_accepted_total");
        assertThat(Files.getPosixFilePermissions(file))
                .containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
    }

    private static String basic(String credentials) {
        return "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
    }

    private void run(String message, String more) throws Exception {
        PosternResponse posternResponse =
                postern.sender().post("agent", "{\"message\":\"" + message + "\"" + more + "}", "Prefer", "wait=20");
        assertThat(posternResponse.status()).isEqualTo(200);
    }

    private void queue(String message) throws Exception {
        PosternResponse posternResponse =
                postern.sender().post("agent", "{\"message\":\"" + message + "\"" + QUIETLY + "}");
        assertThat(posternResponse.status()).isEqualTo(202);
    }

    private void awaitMetric(String name, double value) {
        await(name + " to be " + value).atMost(LONGEST).until(() -> figures().get(name), now -> now == value);
    }

    private Map<String, Double> figures() throws Exception {
        return FIGURE.matcher(postern.sender().get("/metrics").body())
                .results()
                .collect(Collectors.toMap(
                        (MatchResult figure) -> figure.group(1), figure -> Double.parseDouble(figure.group(2))));
    }
}
