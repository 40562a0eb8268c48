package dev.postern.observe;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A registry of all metrics of Postern, for Prometheus and for JMX. Each package keeps its own counts. The composition root
 * registers here how to read them, and they are read only on request. Safe for use by many threads.
 *
 * <p>Prometheus' registry is created at the first request for it: it takes a fifth of a second and 11 MB, too much for the
 * start.
 */
public final class MetricRegistry implements AutoCloseable {

    /** The media type of {@link #scrape}. */
    public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private static final Logger LOG = System.getLogger(MetricRegistry.class.getName());

    private final List<Metric> metrics = new CopyOnWriteArrayList<>();
    private final List<Runnable> beforeReads = new CopyOnWriteArrayList<>();

    /** The names of the labels by the name of the metrics: all that share a name have the same. */
    private final Map<String, List<String>> labelNames = new HashMap<>();

    /** The registered values: the name and the labels of each. */
    private final Set<String> values = new HashSet<>();

    private @Nullable PrometheusMeterRegistry registry;

    /** The number of texts begun; {@code textNumber} is the number of {@code text}. */
    private final AtomicLong begun = new AtomicLong();

    /** A fair lock: a late caller that overtook the others would need a text of its own. */
    private final ReentrantLock scrapeLock = new ReentrantLock(true);

    private long textNumber;
    private String text = "";

    /** Registers a counter, which only grows; {@code name} begins with {@code postern_} and ends in {@code _total}. */
    public MetricRegistry counter(String name, String help, LongSupplier count) {
        return add(new Metric(name, help, List.of(), true, count::getAsLong));
    }

    /** Registers one of the counters that share a name and differ in a label. */
    public MetricRegistry counter(String name, String help, String label, String labelValue, LongSupplier count) {
        return add(new Metric(name, help, List.of(new Metric.Label(label, labelValue)), true, count::getAsLong));
    }

    /**
     * Registers one of the counters that share a name and differ in several labels. It may be registered at any time.
     *
     * @param labels the values of the labels by their names, which are those of all that share the name, in the same order
     */
    public MetricRegistry counter(String name, String help, Map<String, String> labels, DoubleSupplier sum) {
        List<Metric.Label> all = labels.entrySet().stream()
                .map(label -> new Metric.Label(label.getKey(), label.getValue()))
                .toList();
        return add(new Metric(name, help, all, true, sum));
    }

    /** Registers a gauge, which may rise and fall; {@code name} begins with {@code postern_} and ends with the unit. */
    public MetricRegistry gauge(String name, String help, DoubleSupplier value) {
        return add(new Metric(name, help, List.of(), false, value));
    }

    /** Registers one of the gauges that share a name and differ in a label. */
    public MetricRegistry gauge(String name, String help, String label, String labelValue, DoubleSupplier value) {
        return add(new Metric(name, help, List.of(new Metric.Label(label, labelValue)), false, value));
    }

    /**
     * The present values of all metrics, and of those of the Java process, in Prometheus' text format. Callers that wait
     * while another is served share the next text, so that a crowd costs as much as two.
     */
    public String scrape() {
        long begunBefore = begun.get();
        scrapeLock.lock();
        try {
            if (textNumber <= begunBefore) {
                textNumber = begun.incrementAndGet();
                text = text();
            }
            return text;
        } finally {
            scrapeLock.unlock();
        }
    }

    /**
     * Runs {@code action} before each read of all metrics. It registers those that have come up since, so that what is counted
     * never waits for a read.
     */
    public void beforeRead(Runnable action) {
        beforeReads.add(action);
    }

    private synchronized void refresh() {
        beforeReads.forEach(Runnable::run);
    }

    private synchronized String text() {
        refresh();
        PrometheusMeterRegistry meters = registry;
        if (meters == null) {
            meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
            new JvmMemoryMetrics().bindTo(meters);
            new JvmThreadMetrics().bindTo(meters);
            new ProcessorMetrics().bindTo(meters);
            new UptimeMetrics().bindTo(meters);
            for (Metric metric : metrics) {
                bind(metric, meters);
            }
            registry = meters;
        }
        return meters.scrape(CONTENT_TYPE);
    }

    /** The registered metrics, in order of registration. */
    List<Metric> all() {
        refresh();
        return List.copyOf(metrics);
    }

    /** Removes all metrics. */
    @Override
    public synchronized void close() {
        beforeReads.clear();
        metrics.clear();
        labelNames.clear();
        values.clear();
        if (registry != null) {
            registry.close();
            registry = null;
        }
    }

    private synchronized MetricRegistry add(Metric metric) {
        List<String> names = labelNames.getOrDefault(metric.name(), metric.labelNames());
        if (!names.equals(metric.labelNames()) || !values.add(metric.name() + metric.labels())) {
            throw new IllegalArgumentException("[" + metric.attribute() + "] is registered already");
        }
        labelNames.put(metric.name(), names);
        metrics.add(metric);
        if (registry != null) {
            bind(metric, registry);
        }
        return this;
    }

    private static void bind(Metric metric, MeterRegistry meters) {
        Tags tags = Tags.of(metric.labels().stream()
                .map(label -> Tag.of(label.name(), label.value()))
                .toList());
        // Micrometer refers to the metric weakly; the list of metrics keeps it alive.
        if (metric.counts()) {
            FunctionCounter.builder(metric.name(), metric, MetricRegistry::valueOrNaN)
                    .description(metric.help())
                    .tags(tags)
                    .register(meters);
        } else {
            Gauge.builder(metric.name(), metric, MetricRegistry::valueOrNaN)
                    .description(metric.help())
                    .tags(tags)
                    .register(meters);
        }
    }

    /** One metric that can't be read must not hide the others. */
    private static double valueOrNaN(Metric metric) {
        try {
            return metric.value().getAsDouble();
        } catch (RuntimeException fault) {
            LOG.log(Level.DEBUG, "no value for [" + metric.attribute() + "]", fault);
            return Double.NaN;
        }
    }
}
