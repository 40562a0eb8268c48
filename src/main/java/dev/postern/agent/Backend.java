package dev.postern.agent;

/** What answers a prompt: a chat model, a local program, or nothing but this program itself. */
public interface Backend {

    /**
     * Takes one turn and returns when it has ended; soon after {@code cutoff} is reached at the latest, and then with
     * nothing of the turn still running. Called from many threads at once.
     *
     * @return how it ended; {@link TurnCancellation#outcome()}'s value when it was cut off
     */
    TurnResult answer(BackendPrompt prompt, TurnCancellation turnCancellation);
}
