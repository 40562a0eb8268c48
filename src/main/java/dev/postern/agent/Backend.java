package dev.postern.agent;

import java.util.Optional;

/** A backend that answers a prompt: a chat model, a local program, or Postern itself. */
public interface Backend {

    /**
     * Takes one turn and returns when it has ended. If the turn is cancelled, it returns soon afterwards, with nothing of
     * the turn still running. Called by many threads at once.
     *
     * @return the result of the turn; the value of {@link TurnCancellation#outcome()} if the turn was cancelled
     */
    TurnResult takeTurn(BackendPrompt prompt, TurnCancellation turnCancellation);

    /**
     * Whether the turn with the id {@code turn} may begin on {@code model}. Empty if so, or else the result that it would have at once, because the
     * provider is known to be down. Of many turns that ask while the provider is to be probed, one may begin.
     */
    default Optional<TurnResult.ProviderDown> admit(String model, String turn) {
        return Optional.empty();
    }

    /** The name of the provider in spans: a value of {@code gen_ai.provider.name}, or one of Postern's own. */
    default String providerName() {
        return "postern";
    }
}
