package dev.postern.http;

import dev.postern.model.RunView;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The id of an event in the life of a run: its place there, which follows from the run's record alone. So each node gives
 * an event the same id, also after a restart.
 *
 * @param waits the number of waits for a provider or an operator before the event
 * @param attempts the number of turns begun before the event
 * @param detail tells the events of one step apart: the number of a tool call, or the end of a wait
 */
record RunEventId(int waits, int attempts, Step step, long detail) {

    private static final Pattern FORM =
            Pattern.compile("([0-9]{1,9})\\.([0-9]{1,9})\\.([a-z]{1,10})(?:\\.([0-9]{1,18}))?");

    /** The steps between two turns, in order, and those after the last one. */
    enum Step {
        COLLECTING,
        RUNNING,
        QUEUED,
        WAITING,
        HELD,
        TOOL,
        ENDED,
        REPLY,
        END;

        private static Optional<Step> of(String wire) {
            return Arrays.stream(values())
                    .filter(step -> step.wire().equals(wire))
                    .findFirst();
        }

        private String wire() {
            return name().toLowerCase(Locale.ROOT);
        }

        private boolean isAfterLastTurn() {
            return compareTo(ENDED) >= 0;
        }
    }

    RunEventId(int waits, int attempts, Step step) {
        this(waits, attempts, step, 0);
    }

    /**
     * The id that a client has sent as the last one that it has seen.
     *
     * @param header the value of {@code Last-Event-ID}; null if there is none
     * @return empty if it is not the id of an event that {@code run} can have had
     */
    static Optional<RunEventId> parse(@Nullable String header, RunView run) {
        Matcher parts = FORM.matcher(header == null ? "" : header.strip());
        if (!parts.matches()) {
            return Optional.empty();
        }
        @Nullable String detail = parts.group(4);
        return Step.of(parts.group(3))
                .map(step -> new RunEventId(
                        Integer.parseInt(parts.group(1)),
                        Integer.parseInt(parts.group(2)),
                        step,
                        detail == null ? 0 : Long.parseLong(detail)))
                .filter(id -> id.isPossibleFor(run));
    }

    /** One attempt more than the run has now is possible: a turn that could not begin after all does not count. */
    private boolean isPossibleFor(RunView run) {
        if (step.isAfterLastTurn()) {
            return run.state().ended();
        }
        return waits < run.waits() || (waits == run.waits() && attempts <= run.attempts() + 1);
    }

    /** Whether this event comes after {@code other}. Of two different waits, each does: the later one holds now. */
    boolean isAfter(RunEventId other) {
        boolean isLast = step.isAfterLastTurn();
        if (isLast != other.step.isAfterLastTurn()) {
            return isLast;
        }
        if (!isLast && waits != other.waits) {
            return waits > other.waits;
        }
        if (!isLast && attempts != other.attempts) {
            return attempts > other.attempts;
        }
        if (step != other.step) {
            return step.compareTo(other.step) > 0;
        }
        return step == Step.HELD ? detail != other.detail : detail > other.detail;
    }

    /** The id as the stream has it, such as {@code 0.1.running} or {@code 0.1.tool.3}. */
    @Override
    public String toString() {
        return waits + "." + attempts + "." + step.wire() + (detail == 0 ? "" : "." + detail);
    }
}
