package dev.postern.agent;

/**
 * Answers without a model, so that everything around one can be tried.
 *
 * <ul>
 *   <li>{@code offline/ack} answers {@code HEARTBEAT_OK} to everything: a reply that is not delivered.
 *   <li>Any other, such as {@code offline/echo}, says back what came in from outside: the message, or a heartbeat's
 *       events one below the other, cut after 2,000 characters. When nothing came in, as in a heartbeat for nothing but
 *       {@code HEARTBEAT.md}, it answers {@code HEARTBEAT_OK}.
 * </ul>
 */
final class OfflineBackend implements Backend {

    private static final String ACKNOWLEDGEMENT = "HEARTBEAT_OK";
    private static final int MAX_ECHO = 2_000;

    @Override
    public TurnOutcome answer(Prompt prompt, Cutoff cutoff) {
        String heard = prompt.message().fromOutside().strip();
        if (heard.isEmpty() || prompt.model().endsWith("/ack")) {
            return new TurnOutcome.Replied(ACKNOWLEDGEMENT);
        }
        return new TurnOutcome.Replied(prompt.model() + ": " + Excerpt.of(heard, MAX_ECHO));
    }
}
