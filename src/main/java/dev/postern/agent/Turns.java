package dev.postern.agent;

import dev.postern.store.Sql;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Takes turns: the session's past and the workspace's instructions go to the model's backend with the message. */
public final class Turns {

    private static final Logger LOG = System.getLogger(Turns.class.getName());

    private final Store store;
    private final Transcript transcript;
    private final Backends backends;

    public Turns(Store store, Transcript transcript, Backends backends) {
        this.store = store;
        this.transcript = transcript;
        this.backends = backends;
    }

    /**
     * Takes one turn, and returns when it has ended or soon after {@code cutoff} is reached. Writes nothing: whoever
     * finishes the turn appends it to the {@link Transcript}.
     */
    public TurnOutcome take(TurnRequest turn, Cutoff cutoff) {
        try {
            Optional<List<Transcript.Line>> past = store.read(sql -> past(sql, turn));
            if (past.isEmpty()) {
                return new TurnOutcome.NotBegun("another node that took over");
            }
            Prompt prompt = prompt(turn, past.get());
            return cutoff.reached()
                    ? early(cutoff.outcome().join())
                    : outwards(prompt, backends.of(turn.model()).answer(prompt, cutoff));
        } catch (IOException e) {
            LOG.log(Level.WARNING, "Turn {0}: AGENTS.md cannot be read: {1}", turn.id(), e);
            return new TurnOutcome.Failed(
                    "AGENTS.md in the workspace of agent " + turn.agent().id() + " cannot be read");
        } catch (StoreException e) {
            LOG.log(Level.WARNING, "Turn {0}: the transcript cannot be read: {1}", turn.id(), e);
            return new TurnOutcome.NotBegun("a database that could not be read");
        } catch (RuntimeException e) {
            // Its message may hold what the model or the sender said.
            LOG.log(Level.ERROR, "Turn {0}: the backend broke: {1}", turn.id(), where(e));
            return new TurnOutcome.Failed("the backend of model " + turn.model() + " broke: "
                    + e.getClass().getSimpleName());
        }
    }

    /** What an agent has said passes outwards, and into its session, without the boundaries that it was shown. */
    private static TurnOutcome outwards(Prompt prompt, TurnOutcome outcome) {
        if (!(outcome instanceof TurnOutcome.Replied replied)) {
            return outcome;
        }
        Stream<String> shown = Stream.concat(
                prompt.history().stream().map(Transcript.Line::text),
                Stream.of(prompt.message().text()));
        return new TurnOutcome.Replied(
                Boundary.takenOff(replied.text(), shown.flatMap(Boundary::ids).collect(Collectors.toSet())));
    }

    /** What a cut-off means for a turn whose backend was not called yet. */
    private static TurnOutcome early(TurnOutcome outcome) {
        return outcome instanceof TurnOutcome.Interrupted interrupted
                ? new TurnOutcome.NotBegun(interrupted.reason())
                : outcome;
    }

    /** Empty when the turn is not this node's any more. */
    private Optional<List<Transcript.Line>> past(Sql sql, TurnRequest turn) throws SQLException {
        return turn.held().run(sql) ? Optional.of(transcript.read(sql, turn.session())) : Optional.empty();
    }

    private static Prompt prompt(TurnRequest turn, List<Transcript.Line> past) throws IOException {
        return new Prompt(
                turn.id(),
                turn.agent().id(),
                turn.session().key(),
                turn.agent().workspace(),
                turn.model(),
                turn.thinking(),
                new Workspace(turn.agent().workspace()).instructions(),
                past,
                turn.message(),
                turn.tools(),
                turn.log());
    }

    private static String where(RuntimeException e) {
        StackTraceElement[] trace = e.getStackTrace();
        return e.getClass().getName() + (trace.length == 0 ? "" : " at " + trace[0]);
    }
}
