package dev.postern.console;

import dev.postern.acceptance.RunBook;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.SessionKey;
import dev.postern.store.StoreException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The runs, the latest first, a page at a time. */
final class RunsView implements View {

    private static final int MOST = 50;

    private final RunBook book;

    RunsView(RunBook book) {
        this.book = book;
    }

    /**
     * What is shown.
     *
     * @param states all that a run can be in
     * @param state only runs in it; null for all
     * @param older the run after which the next page begins; null on the last
     */
    record Shown(
            List<RunState> states,
            @Nullable RunState state,
            @Nullable String hook,
            @Nullable String agent,
            @Nullable String session,
            List<RunBook.Line> runs,
            @Nullable RunId older) {}

    @Override
    public String template() {
        return "runs";
    }

    @Override
    public Optional<Shown> show(Question question) throws StoreException, UnfitException {
        @Nullable RunState state = question.choice("state", RunState.values(), RunState::wire);
        @Nullable String before = question.parameter("before");
        @Nullable SessionKey session = question.session("session");
        RunBook.Filter filter = new RunBook.Filter(
                state,
                question.parameter("hook"),
                question.parameter("agent"),
                session == null ? null : session.value(),
                before == null ? null : new RunId(before));
        Cut<RunBook.Line> page = Cut.of(book.latest(filter, MOST + 1), MOST);
        return Optional.of(new Shown(
                List.of(RunState.values()),
                state,
                filter.hook(),
                filter.agent(),
                filter.session(),
                page.lines(),
                page.after(RunBook.Line::id)));
    }
}
