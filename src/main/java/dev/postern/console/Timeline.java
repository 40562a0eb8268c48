package dev.postern.console;

import dev.postern.acceptance.RunQueries;
import dev.postern.channel.DeliveryQueries;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A time line of a request or a run, which puts the steps in the order of their times. */
final class Timeline {

    private final List<Step> steps = new ArrayList<>();

    /**
     * A step, past or planned.
     *
     * @param what the step, in a few words
     * @param after the time since the step before; null for the first
     */
    record Step(String what, Instant at, @Nullable Duration after) {}

    /** Adds a step, unless it has no time. */
    void add(String what, @Nullable Instant at) {
        if (at != null) {
            steps.add(new Step(what, at, null));
        }
    }

    /** Adds the steps of a run, which {@code name} calls. */
    void addRun(String name, RunQueries.Line run) {
        add(name + " accepted", run.acceptedAt());
        add(name + " started" + (run.attempts() > 1 ? ", attempt " + run.attempts() : ""), run.startedAt());
        add(name + " " + run.state().wire(), run.finishedAt());
    }

    /** Adds the steps of deliveries. */
    void addDeliveries(List<DeliveryQueries.Line> deliveries) {
        for (DeliveryQueries.Line each : deliveries) {
            String attempts = each.attempts() > 1 ? " after " + each.attempts() + " attempts" : "";
            add("delivery (" + each.channel() + ") " + each.state().wire() + attempts, each.finishedAt());
            add("next attempt of the delivery (" + each.channel() + ")", each.nextAt());
        }
    }

    /** The steps, the earliest first, each with the time since the one before. */
    List<Step> steps() {
        List<Step> ordered = new ArrayList<>();
        @Nullable Instant before = null;
        for (Step each : steps.stream().sorted(Comparator.comparing(Step::at)).toList()) {
            ordered.add(new Step(each.what(), each.at(), before == null ? null : Duration.between(before, each.at())));
            before = each.at();
        }
        return ordered;
    }
}
