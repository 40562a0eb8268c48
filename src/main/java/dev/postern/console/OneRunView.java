package dev.postern.console;

import dev.postern.acceptance.RunBook;
import dev.postern.model.RunId;
import dev.postern.model.RunView;
import dev.postern.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One run: what asked for it, how it went, what it said and where that went. */
final class OneRunView implements View {

    private final RunBook book;

    OneRunView(RunBook book) {
        this.book = book;
    }

    /** What is shown. */
    record Shown(RunView run, RunBook.Asked asked, List<Step> steps) {}

    /**
     * Something that has happened.
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
        return book.find(new RunId(question.id()))
                .map(entry -> new Shown(entry.run(), entry.asked(), steps(entry.run())));
    }

    private static List<Step> steps(RunView run) {
        List<Step> steps = new ArrayList<>();
        add(steps, "accepted", run.acceptedAt());
        add(steps, "first begun", run.startedAt());
        add(steps, run.state().wire(), run.finishedAt());
        return steps;
    }

    private static void add(List<Step> steps, String what, @Nullable Instant at) {
        if (at != null) {
            @Nullable
            Duration after = steps.isEmpty()
                    ? null
                    : Duration.between(steps.get(steps.size() - 1).at(), at);
            steps.add(new Step(what, at, after));
        }
    }
}
