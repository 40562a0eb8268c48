package dev.postern.agent;

/** Stands in for a backend that isn't there, and says what to configure. */
record Unavailable(String sentence) implements Backend {

    @Override
    public TurnOutcome answer(Prompt prompt, Cutoff cutoff) {
        return new TurnOutcome.Failed(sentence);
    }
}
