package dev.postern.it;

import java.util.Arrays;

/** The metrics of {@code /metrics} at one moment. */
record MetricsSnapshot(RawResponse answer) {

    /** The sum of all metrics whose name and labels begin with {@code name}. */
    long sum(String name) {
        return Math.round(Arrays.stream(answer.body().split("\n"))
                .filter(line -> line.startsWith(name))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum());
    }

    long accepted() {
        return sum("postern_accepted_total");
    }

    long refused(String code) {
        return sum("postern_refused_total{code=\"" + code + "\"}");
    }
}
