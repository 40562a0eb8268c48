package dev.postern.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetricRegistryTest {

    private final MetricRegistry metricRegistry = new MetricRegistry();

    @AfterEach
    void close() {
        metricRegistry.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "postern",
                "postern_",
                "accepted_total",
                "postern_Accepted_total",
                "postern_accepted",
                "postern__total"
            })
    void refusesANameThatIsNoneOfACounter(String name) {
        assertThatThrownBy(() -> metricRegistry.counter(name, "Accepted actions", () -> 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("[" + name + "]");
    }

    @Test
    void refusesACountersNameForAGauge() {
        assertThatThrownBy(() -> metricRegistry.gauge("postern_pending_total", "Pending actions", () -> 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void takesNoOtherLabelsUnderOneName() {
        metricRegistry.counter("postern_turn_cost_total", "Cost", Map.of("hook", "a"), () -> 1);

        assertThatThrownBy(
                        () -> metricRegistry.counter("postern_turn_cost_total", "Cost", Map.of("hook", "a"), () -> 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(
                        () -> metricRegistry.counter("postern_turn_cost_total", "Cost", Map.of("agent", "a"), () -> 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void takesSeriesOfSeveralLabelsThatComeUpLater() {
        List<String> ahead = new ArrayList<>(List.of("a-b"));
        metricRegistry.beforeRead(() -> {
            ahead.forEach(hook -> metricRegistry.counter("postern_turn_cost_total", "Cost", labels(hook), () -> 0.25));
            ahead.clear();
        });
        assertThat(metricRegistry.scrape()).contains("postern_turn_cost_total{agent=\"main\",hook=\"a-b\"} 0.25");

        ahead.add("a/b");

        assertThat(metricRegistry.scrape())
                .contains(
                        "postern_turn_cost_total{agent=\"main\",hook=\"a-b\"} 0.25",
                        "postern_turn_cost_total{agent=\"main\",hook=\"a/b\"} 0.25");
    }

    private static Map<String, String> labels(String hook) {
        return new TreeMap<>(Map.of("agent", "main", "hook", hook));
    }

    @Test
    void makesOneTextForAllWhoWaitMeanwhile() throws Exception {
        AtomicLong reads = new AtomicLong();
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        metricRegistry.gauge("postern_slow_count", "A slow one", () -> {
            first.countDown();
            awaitOpen(goOn);
            return reads.incrementAndGet();
        });
        List<FutureTask<String>> scrapes = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            FutureTask<String> scrape = new FutureTask<>(metricRegistry::scrape);
            scrapes.add(scrape);
            threads.add(new Thread(scrape));
        }
        threads.get(0).start();
        first.await();
        threads.subList(1, 20).forEach(Thread::start);
        await().until(() ->
                threads.subList(1, 20).stream().allMatch(thread -> thread.getState() == Thread.State.WAITING));
        goOn.countDown();

        assertThat(scrapes.get(0).get()).contains("postern_slow_count 1.0");
        for (FutureTask<String> scrape : scrapes.subList(1, 20)) {
            assertThat(scrape.get()).contains("postern_slow_count 2.0");
        }
        assertThat(metricRegistry.scrape()).contains("postern_slow_count 3.0");
    }

    @Test
    void rejectsSameMetricTwice() {
        metricRegistry.counter("postern_refused_total", "Refused requests", "code", "unauthorized", () -> 0);

        assertThatThrownBy(
                        () -> metricRegistry.counter("postern_refused_total", "Again", "code", "unauthorized", () -> 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("RefusedUnauthorized");
    }

    @Test
    void refusesOneNameWithDifferentLabels() {
        metricRegistry.counter("postern_refused_total", "Refused requests", "code", "unauthorized", () -> 0);

        assertThatThrownBy(() -> metricRegistry.counter("postern_refused_total", "Refused requests", () -> 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> metricRegistry.counter("postern_refused_total", "Refused", "status", "4xx", () -> 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void showsOtherMetricsWhenOneCannotBeRead() {
        metricRegistry.gauge("postern_oldest_waiting_seconds", "Age", () -> {
            throw new IllegalStateException("the database is away");
        });
        metricRegistry.counter("postern_accepted_total", "Accepted actions", () -> {
            throw new IllegalStateException("the database is away");
        });
        metricRegistry.gauge("postern_pending", "Pending actions", () -> 3);

        assertThat(metricRegistry.scrape())
                .contains(
                        "postern_oldest_waiting_seconds NaN\n",
                        "postern_accepted_total NaN\n",
                        "postern_pending 3.0\n");
    }

    @Test
    void showsPresentValueOfEveryMetric() {
        AtomicLong wakes = new AtomicLong(1);
        metricRegistry
                .counter("postern_accepted_total", "Accepted actions", "action", "wake", wakes::get)
                .counter("postern_accepted_total", "Accepted actions", "action", "agent", () -> 7)
                .counter("postern_throttled_total", "Requests answered 429", () -> 12)
                .gauge("postern_pending", "Accepted actions that are not finished", () -> 4)
                .gauge("postern_deliveries", "Deliveries", "state", "pending", () -> 5)
                .gauge("postern_commit_seconds", "Time of a commit", () -> 0.25);
        metricRegistry.scrape();
        wakes.set(2);

        assertThat(metricRegistry.scrape())
                .contains(
                        "# HELP postern_accepted_total Accepted actions\n",
                        "# TYPE postern_accepted_total counter\n",
                        "postern_accepted_total{action=\"wake\"} 2.0\n",
                        "postern_accepted_total{action=\"agent\"} 7.0\n",
                        "postern_throttled_total 12.0\n",
                        "# TYPE postern_pending gauge\n",
                        "postern_pending 4.0\n",
                        "postern_deliveries{state=\"pending\"} 5.0\n",
                        "postern_commit_seconds 0.25\n");
    }

    @Test
    void showsMetricRegisteredAfterFirstScrape() {
        metricRegistry.scrape();
        metricRegistry.gauge("postern_running", "Running turns", () -> 2);

        assertThat(metricRegistry.scrape()).contains("postern_running 2.0\n");
    }

    @Test
    void keepsMetricWithoutOtherReferences() {
        metricRegistry.counter("postern_throttled_total", "Requests answered 429", new AtomicLong(9)::get);
        metricRegistry.scrape();

        System.gc();

        assertThat(metricRegistry.scrape()).contains("postern_throttled_total 9.0\n");
    }

    @Test
    void tellsOfTheJavaProcessToo() {
        assertThat(metricRegistry.scrape())
                .contains("jvm_memory_used_bytes{area=\"heap\"", "jvm_threads_live_threads ", "process_cpu_usage ")
                .contains("process_uptime_seconds ");
    }

    @Test
    void leavesNoThreadBehind() {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        metricRegistry.gauge("postern_running", "Running turns", () -> 2).scrape();
        metricRegistry.close();

        assertThat(Thread.getAllStackTraces().keySet()).isSubsetOf(before);
    }

    @Test
    void showsNothingOfPosternOnceClosed() {
        metricRegistry.gauge("postern_running", "Running turns", () -> 2).scrape();
        metricRegistry.close();

        assertThat(metricRegistry.scrape()).doesNotContain("postern_");
    }

    private static void awaitOpen(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
