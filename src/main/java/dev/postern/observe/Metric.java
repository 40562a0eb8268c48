package dev.postern.observe;

import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A metric of the running Postern: a counter or a gauge.
 *
 * @param name the name as Prometheus spells it: snake case, {@code postern_} first, {@code _total} last on a counter
 * @param help one sentence that names the quantity and its unit
 * @param label the label that distinguishes this value from the others of its name; null if there is only one
 * @param counts whether the value only grows
 */
record Metric(String name, String help, @Nullable Label label, boolean counts, DoubleSupplier value) {

    private static final String PREFIX = "postern_";
    private static final String COUNTER_SUFFIX = "_total";

    Metric {
        if (!name.matches("postern(_[a-z0-9]+)+") || counts != name.endsWith(COUNTER_SUFFIX)) {
            throw new IllegalArgumentException("no name for a " + (counts ? "counter" : "gauge") + ": [" + name + "]");
        }
    }

    /** One label and its value, such as {@code code="unauthorized"}. */
    record Label(String name, String value) {}

    /** Whether the two can't be registered together: the same value twice, or one name with and without a label. */
    boolean clashesWith(Metric other) {
        return attribute().equals(other.attribute())
                || (name.equals(other.name) && !labelName().equals(other.labelName()));
    }

    private String labelName() {
        return label == null ? "" : label.name();
    }

    /** The name of the family as JMX spells it: {@code postern_refused_total} is {@code Refused}. */
    String familyAttribute() {
        int end = name.length() - (counts ? COUNTER_SUFFIX.length() : 0);
        return camelCase(name.substring(PREFIX.length(), end));
    }

    /**
     * The name of this value as JMX spells it: {@code postern_refused_total{code="unauthorized"}} is
     * {@code RefusedUnauthorized}.
     */
    String attribute() {
        return familyAttribute() + (label == null ? "" : camelCase(label.value()));
    }

    private static String camelCase(String words) {
        StringBuilder attribute = new StringBuilder();
        for (String word : words.split("[^A-Za-z0-9]+", 0)) {
            if (!word.isEmpty()) {
                attribute.append(Character.toUpperCase(word.charAt(0))).append(word, 1, word.length());
            }
        }
        return attribute.toString();
    }
}
