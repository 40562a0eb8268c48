package dev.postern.observe;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.ReflectionException;

/**
 * An MBean with the metrics as its attributes, each named after its metric. Metrics that share a name and differ in a label
 * have an attribute each and, if they are counters, one for their sum: {@code Refused}, {@code RefusedUnauthorized}.
 * Labels that JMX would spell alike, such as {@code ci1} and {@code ci-1}, are numbered from the second on:
 * {@code SenderRequestsCi1}, {@code SenderRequestsCi1_2}. Counters are longs, gauges doubles. Nothing can be set or invoked.
 */
final class MetricsMBean implements DynamicMBean {

    private static final Logger LOG = System.getLogger(MetricsMBean.class.getName());

    private final MetricRegistry metricRegistry;

    MetricsMBean(MetricRegistry metricRegistry) {
        this.metricRegistry = metricRegistry;
    }

    @Override
    public Object getAttribute(String attribute) throws AttributeNotFoundException {
        Reading reading = readings().get(attribute);
        if (reading == null) {
            throw new AttributeNotFoundException("no attribute [" + attribute + "]");
        }
        return reading.now();
    }

    @Override
    public AttributeList getAttributes(String[] attributes) {
        Map<String, Reading> readings = readings();
        AttributeList values = new AttributeList();
        for (String attribute : attributes) {
            Reading reading = readings.get(attribute);
            if (reading != null) {
                try {
                    values.add(new Attribute(attribute, reading.now()));
                } catch (RuntimeException fault) {
                    // DynamicMBean demands that a value that can't be read is left out and the others are returned.
                    LOG.log(Level.DEBUG, "no value for [" + attribute + "]", fault);
                }
            }
        }
        return values;
    }

    @Override
    public MBeanInfo getMBeanInfo() {
        MBeanAttributeInfo[] attributes = readings().entrySet().stream()
                .map(entry -> entry.getValue().info(entry.getKey()))
                .toArray(MBeanAttributeInfo[]::new);
        return new MBeanInfo(MetricsMBean.class.getName(), "What a running Postern does", attributes, null, null, null);
    }

    @Override
    public void setAttribute(Attribute attribute) throws AttributeNotFoundException {
        throw new AttributeNotFoundException("[" + attribute.getName() + "] can't be set");
    }

    @Override
    public AttributeList setAttributes(AttributeList attributes) {
        return new AttributeList();
    }

    @Override
    public Object invoke(String action, Object[] arguments, String[] signature) throws ReflectionException {
        throw new ReflectionException(new NoSuchMethodException(action));
    }

    private Map<String, Reading> readings() {
        Map<String, Reading> readings = new LinkedHashMap<>();
        List<Metric> all = metricRegistry.all();
        for (Metric metric : all) {
            if (!metric.labels().isEmpty() && metric.counts()) {
                readings.computeIfAbsent(metric.familyAttribute(), family -> sumOf(metric, all));
            }
            if (metric.isAttribute()) {
                readings.put(
                        unused(metric.attribute(), readings),
                        new Reading(metric.help(), metric.counts(), metric.value()));
            }
        }
        return readings;
    }

    private static String unused(String attribute, Map<String, Reading> readings) {
        String name = attribute;
        for (int number = 2; readings.containsKey(name); number++) {
            name = attribute + "_" + number;
        }
        return name;
    }

    private static Reading sumOf(Metric one, List<Metric> all) {
        List<Metric> family =
                all.stream().filter(metric -> metric.name().equals(one.name())).toList();
        return new Reading(one.help(), true, () -> family.stream()
                .mapToDouble(metric -> metric.value().getAsDouble())
                .sum());
    }

    /** An attribute's description and the source of its value. */
    private record Reading(String help, boolean counts, DoubleSupplier value) {

        Object now() {
            double value = this.value.getAsDouble();
            return counts ? (Object) (long) value : (Object) value;
        }

        MBeanAttributeInfo info(String attribute) {
            Class<?> type = counts ? Long.class : Double.class;
            return new MBeanAttributeInfo(attribute, type.getName(), help, true, false, false);
        }
    }
}
