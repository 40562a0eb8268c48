package dev.postern.observe;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Every number that Postern tells of itself, for Prometheus and for JMX. The rooms keep their own counts; the composition
 * root registers here how to read them, and nothing is read before somebody asks. Safe for use by many threads.
 *
 * <p>Prometheus' registry is only made when it is first asked for: it takes a fifth of a second and 11 MB, which a start has
 * better uses for.
 */
public final class MetricRegistry implements AutoCloseable {

    /** The media type of {@link #scrape}. */
    public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private static final Logger LOG = System.getLogger(MetricRegistry.class.getName());

    private final List<Metric> figures = new CopyOnWriteArrayList<>();
    private @Nullable PrometheusMeterRegistry registry;

    /** How many texts have been begun; the text below is the one of its number. */
    private final AtomicLong begun = new AtomicLong();

    /** In the order in which they come: a newcomer that went first would need a text of its own. */
    private final ReentrantLock turns = new ReentrantLock(true);

    private long textNumber;
    private String text = "";

    /** Registers a count that only grows; {@code name} begins with {@code postern_} and ends in {@code _total}. */
    public MetricRegistry counter(String name, String help, LongSupplier count) {
        return add(new Metric(name, help, null, true, count::getAsLong));
    }

    /** Registers one of the counts of a name that a label tells apart. */
    public MetricRegistry counter(String name, String help, String label, String labelValue, LongSupplier count) {
        return add(new Metric(name, help, new Metric.Label(label, labelValue), true, count::getAsLong));
    }

    /** Registers a value that may rise and fall; {@code name} begins with {@code postern_} and says its unit last. */
    public MetricRegistry gauge(String name, String help, DoubleSupplier value) {
        return add(new Metric(name, help, null, false, value));
    }

    /** Registers one of the values of a name that a label tells apart. */
    public MetricRegistry gauge(String name, String help, String label, String labelValue, DoubleSupplier value) {
        return add(new Metric(name, help, new Metric.Label(label, labelValue), false, value));
    }

    /**
     * All figures as they are now, and those of the Java process, in Prometheus' text format. Callers that wait while another
     * is served share the text that is made after that, so that a crowd costs as much as two.
     */
    public String scrape() {
        long begunBefore = begun.get();
        turns.lock();
        try {
            if (textNumber <= begunBefore) {
                textNumber = begun.incrementAndGet();
                text = text();
            }
            return text;
        } finally {
            turns.unlock();
        }
    }

    private synchronized String text() {
        PrometheusMeterRegistry meters = registry;
        if (meters == null) {
            meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
            new JvmMemoryMetrics().bindTo(meters);
            new JvmThreadMetrics().bindTo(meters);
            new ProcessorMetrics().bindTo(meters);
            new UptimeMetrics().bindTo(meters);
            for (Metric metric : figures) {
                bind(metric, meters);
            }
            registry = meters;
        }
        return meters.scrape(CONTENT_TYPE);
    }

    /** What is registered so far, in that order. */
    List<Metric> all() {
        return List.copyOf(figures);
    }

    /** Lets go of everything that was registered. */
    @Override
    public synchronized void close() {
        figures.clear();
        if (registry != null) {
            registry.close();
            registry = null;
        }
    }

    private synchronized MetricRegistry add(Metric metric) {
        for (Metric other : figures) {
            if (other.clashesWith(metric)) {
                throw new IllegalArgumentException("[" + metric.attribute() + "] is registered already");
            }
        }
        figures.add(metric);
        if (registry != null) {
            bind(metric, registry);
        }
        return this;
    }

    private static void bind(Metric metric, MeterRegistry meters) {
        Metric.Label label = metric.label();
        Tags tags = label == null ? Tags.empty() : Tags.of(label.name(), label.value());
        // Micrometer holds on to the figure weakly; the list of figures holds on to it for good.
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

    /** One figure that can't be read must not hide the others. */
    private static double valueOrNaN(Metric metric) {
        try {
            return metric.value().getAsDouble();
        } catch (RuntimeException fault) {
            LOG.log(Level.DEBUG, "no value for [" + metric.attribute() + "]", fault);
            return Double.NaN;
        }
    }
}
