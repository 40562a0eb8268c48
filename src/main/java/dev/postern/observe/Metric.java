package dev.postern.observe;

import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A metric of the running Postern: a counter or a gauge.
 *
 * @param name the name as Prometheus spells it: snake case, {@code postern_} first, {@code _total} last on a counter
 * @param help one sentence that names the quantity and its unit
 * @param labels the labels that distinguish this value from the others of its name; empty if there is only one
 * @param counts whether the value only grows
 */
record Metric(String name, String help, List<Label> labels, boolean counts, DoubleSupplier value) {

    private static final Pattern NAME = Pattern.compile("postern(_[a-z0-9]+)+");
    private static final Pattern BETWEEN_WORDS = Pattern.compile("[^A-Za-z0-9]+");
    private static final String PREFIX = "postern_";
    private static final String COUNTER_SUFFIX = "_total";

    Metric {
        labels = List.copyOf(labels);
        if (!NAME.matcher(name).matches() || counts != name.endsWith(COUNTER_SUFFIX)) {
            throw new IllegalArgumentException("no name for a " + (counts ? "counter" : "gauge") + ": [" + name + "]");
        }
    }

    /** One label and its value, such as {@code code="unauthorized"}. */
    record Label(String name, String value) {}

    List<String> labelNames() {
        return labels.stream().map(Label::name).toList();
    }

    /** Whether JMX has it by itself. A value with several labels is only in the sum of its family there. */
    boolean isAttribute() {
        return labels.size() <= 1;
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
        return familyAttribute()
                + labels.stream().map(label -> camelCase(label.value())).collect(Collectors.joining());
    }

    private static String camelCase(String words) {
        StringBuilder attribute = new StringBuilder();
        for (String word : BETWEEN_WORDS.split(words, 0)) {
            if (!word.isEmpty()) {
                attribute.append(Character.toUpperCase(word.charAt(0))).append(word, 1, word.length());
            }
        }
        return attribute.toString();
    }
}
