package dev.postern.channel;

import dev.postern.model.RunState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A delivery that this node sends now.
 *
 * @param attempt the claim that this is: once it was claimed again, this one changes nothing any more
 * @param runId null for what a heartbeat had to say
 * @param outcome the run's
 * @param to null for the channel's own default
 * @param createdAt when it was added
 * @param text the whole reply
 * @param failures how many attempts have failed since a part was last taken
 */
record ClaimedDelivery(
        String id,
        int attempt,
        @Nullable String runId,
        RunState outcome,
        String agentId,
        String channel,
        @Nullable String to,
        Instant createdAt,
        String text,
        int failures) {

    /** One of its messages; {@code sent} ones are not sent again. */
    record Part(int number, String text, boolean sent) {}

    Channel.Message message(Part part, int of) {
        return new Channel.Message(id, runId, outcome, agentId, to, createdAt, part.number(), of, part.text());
    }

    /** Nothing of the text, which may be private. */
    @Override
    public String toString() {
        return "Due[" + id + "]";
    }
}
