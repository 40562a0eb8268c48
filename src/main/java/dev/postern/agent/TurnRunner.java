package dev.postern.agent;

import dev.postern.store.SqlTransaction;
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

/**
 * A runner of turns, which gives the session's past, the workspace's instructions and the message to the model's backend.
 */
public final class TurnRunner {

    private static final Logger LOG = System.getLogger(TurnRunner.class.getName());

    private final Store store;
    private final TranscriptRepository transcript;
    private final BackendRegistry backendRegistry;

    public TurnRunner(Store store, TranscriptRepository transcript, BackendRegistry backendRegistry) {
        this.store = store;
        this.transcript = transcript;
        this.backendRegistry = backendRegistry;
    }

    /**
     * Takes one turn. Returns when the turn has ended, or soon after it was cancelled. Writes nothing: the caller appends
     * the turn to the {@link TranscriptRepository}.
     */
    public TurnResult take(TurnRequest turn, TurnCancellation turnCancellation) {
        try {
            Optional<List<TranscriptRepository.Line>> past = store.read(sql -> past(sql, turn));
            if (past.isEmpty()) {
                return new TurnResult.NotStarted("another node that took over");
            }
            BackendPrompt prompt = prompt(turn, past.get());
            return turnCancellation.isRequested()
                    ? early(turnCancellation.outcome().join())
                    : withoutBoundaries(prompt, backendRegistry.of(turn.model()).takeTurn(prompt, turnCancellation));
        } catch (IOException e) {
            LOG.log(Level.WARNING, "Turn {0}: AGENTS.md cannot be read: {1}", turn.id(), e);
            return new TurnResult.Failed(
                    "AGENTS.md in the workspace of agent " + turn.agent().id() + " cannot be read");
        } catch (StoreException e) {
            LOG.log(Level.WARNING, "Turn {0}: the transcript cannot be read: {1}", turn.id(), e);
            return new TurnResult.NotStarted("a database that could not be read");
        } catch (RuntimeException e) {
            // Its message may contain words of the model or the sender.
            LOG.log(Level.ERROR, "Turn {0}: the backend threw {1}", turn.id(), where(e));
            return new TurnResult.Failed("the backend of model " + turn.model() + " broke: "
                    + e.getClass().getSimpleName());
        }
    }

    /** Removes the boundaries that the agent was shown from its reply, before the reply leaves or enters the session. */
    private static TurnResult withoutBoundaries(BackendPrompt prompt, TurnResult outcome) {
        if (!(outcome instanceof TurnResult.Replied replied)) {
            return outcome;
        }
        Stream<String> shown = Stream.concat(
                prompt.history().stream().map(TranscriptRepository.Line::text),
                Stream.of(prompt.message().text()));
        return new TurnResult.Replied(Boundary.removedFrom(
                replied.text(), shown.flatMap(Boundary::ids).collect(Collectors.toSet())));
    }

    /** The result of a turn that was cancelled before its backend was called. */
    private static TurnResult early(TurnResult outcome) {
        return outcome instanceof TurnResult.Interrupted interrupted
                ? new TurnResult.NotStarted(interrupted.reason())
                : outcome;
    }

    /** The session's past; empty if this node no longer holds the turn. */
    private Optional<List<TranscriptRepository.Line>> past(SqlTransaction sql, TurnRequest turn) throws SQLException {
        return turn.stillHeld().run(sql) ? Optional.of(transcript.read(sql, turn.session())) : Optional.empty();
    }

    private static BackendPrompt prompt(TurnRequest turn, List<TranscriptRepository.Line> past) throws IOException {
        return new BackendPrompt(
                turn.id(),
                turn.agent().id(),
                turn.session().key(),
                turn.agent().workspace(),
                turn.model(),
                turn.thinking(),
                new WorkspaceFiles(turn.agent().workspace()).instructions(),
                past,
                turn.message(),
                turn.tools(),
                turn.recorder());
    }

    private static String where(RuntimeException e) {
        StackTraceElement[] trace = e.getStackTrace();
        return e.getClass().getName() + (trace.length == 0 ? "" : " at " + trace[0]);
    }
}
