package dev.postern.agent;

import dev.postern.agent.TurnResult.ProviderDown;
import dev.postern.observe.TraceSpan;
import dev.postern.store.SqlTransaction;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.ArrayList;
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
        try (TraceSpan span = TraceSpan.child("invoke_agent " + turn.agent().id())) {
            TurnResult outcome = taken(turn, turnCancellation);
            if (span.isRecording()) {
                span.set("postern.turn.id", turn.id());
                turn.recorder().describe(span, turn.agent().id());
                outcome.describe(span);
            }
            return outcome;
        }
    }

    private TurnResult taken(TurnRequest turn, TurnCancellation turnCancellation) {
        try {
            Optional<List<TranscriptRepository.Line>> past = store.read(sql -> past(sql, turn));
            if (past.isEmpty()) {
                return new TurnResult.NotStarted("another node that took over");
            }
            BackendPrompt prompt = prompt(turn, past.get());
            return turnCancellation.isRequested()
                    ? early(turnCancellation.outcome().join())
                    : withoutBoundaries(prompt, ask(turn, prompt, turnCancellation));
        } catch (IOException e) {
            LOG.log(Level.WARNING, "Turn {0}: AGENTS.md cannot be read: {1}", turn.id(), e);
            return new TurnResult.Failed(
                    "AGENTS.md in the workspace of agent " + turn.agent().id() + " cannot be read");
        } catch (StoreException e) {
            // The store has logged its outage already, once for all turns.
            LOG.log(Level.DEBUG, "Turn {0}: the transcript cannot be read: {1}", turn.id(), e);
            return new TurnResult.NotStarted("a database that could not be read");
        } catch (RuntimeException e) {
            // Its message may contain words of the model or the sender.
            LOG.log(Level.ERROR, "Turn {0}: the backend threw {1}", turn.id(), where(e));
            return new TurnResult.Failed("the backend of model " + turn.model() + " broke: "
                    + e.getClass().getSimpleName());
        }
    }

    /**
     * Whether the turn with the id {@code turn} may begin on {@code model} or on one of {@code fallbacks}. Empty if so, or else the result that it
     * would have at once: all their providers are down.
     */
    public Optional<ProviderDown> admit(String turn, String model, List<String> fallbacks) {
        Optional<ProviderDown> down = backendRegistry.of(model).admit(model, turn);
        boolean replaced = down.isPresent()
                && fallbacks.stream()
                        .anyMatch(each ->
                                backendRegistry.of(each).admit(each, turn).isEmpty());
        return replaced ? Optional.empty() : down;
    }

    /**
     * Asks the turn's model, then its fallbacks while the providers are down. The result is that of the first model, unless
     * another one replies. Once a tool was called no other model is asked, because it would call the tools again. A fallback
     * whose provider is known to be down, or that may not be asked now, is passed over.
     */
    private TurnResult ask(TurnRequest turn, BackendPrompt prompt, TurnCancellation turnCancellation) {
        turn.recorder().recordAsked(turn.model());
        turn.recorder().recordProvider(backendRegistry.of(turn.model()).providerName());
        TurnResult first = backendRegistry.of(turn.model()).takeTurn(prompt, turnCancellation);
        if (!(first instanceof ProviderDown)) {
            return first;
        }
        List<String> asked = new ArrayList<>(List.of(turn.model()));
        for (String fallback : turn.fallbacks()) {
            if (turn.recorder().hasCalledTools()) {
                return first;
            }
            if (turnCancellation.isRequested()) {
                TurnResult over = turnCancellation.outcome().join();
                return over instanceof TurnResult.TimedOut ? first : over;
            }
            if (backendRegistry.of(fallback).admit(fallback, turn.id()).isPresent() || !mayAsk(turn, fallback, asked)) {
                continue;
            }
            asked.add(fallback);
            turn.journal().clear();
            turn.recorder().recordAsked(fallback);
            turn.recorder().recordProvider(backendRegistry.of(fallback).providerName());
            TurnResult next = backendRegistry.of(fallback).takeTurn(prompt.withModel(fallback), turnCancellation);
            if (next instanceof TurnResult.Replied) {
                turn.recorder().recordFallback(fallback);
                return next;
            }
            if (!(next instanceof ProviderDown || next instanceof TurnResult.Failed)
                    || turn.recorder().hasCalledTools()) {
                return next;
            }
        }
        return first;
    }

    private boolean mayAsk(TurnRequest turn, String fallback, List<String> asked) {
        try {
            return store.writeAndWait(sql ->
                    turn.stillHeld().run(sql) && turn.fallbackAdmission().admit(sql, fallback, List.copyOf(asked)));
        } catch (StoreException e) {
            LOG.log(Level.WARNING, "Turn {0}: the fallback {1} cannot be counted: {2}", turn.id(), fallback, e);
            return false;
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
                /* turnId= */ turn.id(),
                /* agentId= */ turn.agent().id(),
                /* sessionKey= */ turn.session().key(),
                turn.agent().workspace(),
                turn.model(),
                turn.thinking(),
                /* instructions= */ new WorkspaceFiles(turn.agent().workspace()).instructions(),
                /* history= */ past,
                turn.message(),
                turn.tools(),
                turn.journal(),
                /* maxTokens= */ turn.agent().maxTokensPerTurn(),
                turn.recorder());
    }

    private static String where(RuntimeException e) {
        StackTraceElement[] trace = e.getStackTrace();
        return e.getClass().getName() + (trace.length == 0 ? "" : " at " + trace[0]);
    }
}
