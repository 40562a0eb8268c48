package dev.postern.console;

import dev.postern.acceptance.RunBook;
import dev.postern.channel.DeliveryBook;
import dev.postern.model.RunId;
import dev.postern.model.RunView;
import dev.postern.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One run: what asked for it, how it went, what it said and where that went. */
final class OneRunView implements View {

    /** A reply goes to one place, or to a few. */
    private static final int MOST_DELIVERIES = 20;

    private final RunBook book;
    private final DeliveryBook deliveries;

    OneRunView(RunBook book, DeliveryBook deliveries) {
        this.book = book;
        this.deliveries = deliveries;
    }

    /** What is shown. */
    record Shown(RunView run, RunBook.Asked asked, List<Step> steps) {}

    /**
     * Something that has happened, or is to.
     *
     * @param after how long after the step before; null for the first
     */
    record Step(String what, Instant at, @Nullable Duration after) {}

    @Override
    public String template() {
        return "run";
    }

    @Override
    public Optional<Shown> show(Question question) throws StoreException {
        RunId id = new RunId(question.id());
        Optional<RunBook.Entry> entry = book.find(id);
        return entry.isEmpty()
                ? Optional.empty()
                : Optional.of(new Shown(
                        entry.get().run(),
                        entry.get().asked(),
                        steps(entry.get().run(), deliveries.ofRun(id, MOST_DELIVERIES))));
    }

    private static List<Step> steps(RunView run, List<DeliveryBook.Line> sent) {
        List<Happened> all = new ArrayList<>();
        add(all, "accepted", run.acceptedAt());
        add(all, "first begun", run.startedAt());
        add(all, run.state().wire(), run.finishedAt());
        for (DeliveryBook.Line each : sent) {
            add(all, "reply " + each.state().wire() + " (" + each.channel() + ")", each.finishedAt());
            add(all, "reply to be sent next (" + each.channel() + ")", each.nextAt());
        }
        List<Step> steps = new ArrayList<>();
        @Nullable Instant before = null;
        for (Happened each :
                all.stream().sorted(Comparator.comparing(Happened::at)).toList()) {
            steps.add(new Step(each.what(), each.at(), before == null ? null : Duration.between(before, each.at())));
            before = each.at();
        }
        return steps;
    }

    private record Happened(String what, Instant at) {}

    private static void add(List<Happened> all, String what, @Nullable Instant at) {
        if (at != null) {
            all.add(new Happened(what, at));
        }
    }
}
