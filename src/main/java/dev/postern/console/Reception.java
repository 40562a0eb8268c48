package dev.postern.console;

import dev.postern.console.Act.Outcome;
import dev.postern.observe.ErrorIds;
import dev.postern.store.StoreException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Answers what people and programs ask, and does what operators ask for; what can't be answered or done is told in words. */
final class Reception {

    private static final System.Logger LOG = System.getLogger(Reception.class.getName());
    private static final Reply NOT_FOUND =
            new Reply.Problem(404, "not_found", "Nothing here", "There is no such thing, or it is no longer kept.");

    private final Views views;
    private final Acts acts;
    private final ErrorIds ids = new ErrorIds();

    Reception(Views views, Acts acts) {
        this.views = views;
        this.acts = acts;
    }

    /** What is replied. */
    sealed interface Reply {

        /** Something to see, by a view. */
        record Shown(View view, Object what) implements Reply {}

        /** Something was done. */
        record Done(Outcome.Done what) implements Reply {}

        /**
         * Nothing is shown or done.
         *
         * @param status of the answer
         * @param code why, for a program
         * @param title why, for a person in a few words
         * @param sentence why, and what to do
         */
        record Problem(int status, String code, String title, String sentence) implements Reply {}
    }

    /** Does what a place works out by itself. */
    private interface Work {
        Reply done() throws StoreException, UnfitException;
    }

    /** What there is to see at {@code place}. */
    Reply look(String place, Question question) {
        Views.@Nullable Found found = views.at(place);
        return found == null ? NOT_FOUND : guarded(() -> shown(found, question));
    }

    /** What comes of something that was sent to {@code place}: a question that is too long for a query, or an act. */
    Reply send(String place, Question question, Visitor by) {
        Views.@Nullable Found view = views.at(place);
        if (view != null && view.view().takesForms()) {
            return guarded(() -> shown(view, question));
        }
        Acts.@Nullable Found act = acts.at(place);
        if (act == null) {
            return NOT_FOUND;
        }
        return by.isOperator()
                ? guarded(() -> done(acts.perform(act, by, question.client())))
                : new Reply.Problem(
                        403,
                        "forbidden",
                        "Not for you",
                        by.name() + " may look, but has nothing done: that needs the role postern-operator.");
    }

    private static Reply shown(Views.Found found, Question question) throws StoreException, UnfitException {
        Optional<?> shown = found.view().show(question.about(found.id()));
        return shown.isEmpty() ? NOT_FOUND : new Reply.Shown(found.view(), shown.get());
    }

    private static Reply done(Outcome outcome) {
        if (outcome instanceof Outcome.Done done) {
            return new Reply.Done(done);
        }
        if (outcome instanceof Outcome.Later later) {
            return new Reply.Problem(503, "unavailable", "Not now", later.sentence());
        }
        return outcome instanceof Outcome.Refused refused
                ? new Reply.Problem(409, "conflict", "Not now", refused.sentence())
                : NOT_FOUND;
    }

    private Reply guarded(Work work) {
        try {
            return work.done();
        } catch (UnfitException e) {
            return new Reply.Problem(400, "invalid_question", "That can't be shown", String.valueOf(e.getMessage()));
        } catch (StoreException e) {
            return new Reply.Problem(
                    503,
                    "unavailable",
                    "The database does not answer",
                    "The database does not answer. The log says more; try again in a moment.");
        } catch (RuntimeException e) {
            String id = ids.log(LOG, "An answer of the console failed", e);
            return new Reply.Problem(
                    500,
                    "internal",
                    "Something went wrong here",
                    "Something went wrong here. The log has it under " + id + ".");
        }
    }
}
