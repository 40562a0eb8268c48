package dev.postern.console;

import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How those parts of Postern are that this room has no door to, asked anew each time.
 *
 * @param database which one is used, in a few words
 * @param threads whose threads turns and deliveries run on, in a few words
 * @param switchedOff the transforms that are switched off now
 * @param mail the mail watch; null where there is none
 */
public record RuntimeInfo(
        String database, String threads, Supplier<List<String>> switchedOff, @Nullable Supplier<Mail> mail) {

    /**
     * What the mail watch has done since the start of this node, and how it stands.
     *
     * @param standing in a few words, and since when
     * @param watching whether this node is connected and reads
     * @param connections how often it connected
     * @param handled mails whose hook was accepted
     * @param repeated mails that were known already
     * @param last when the last mail was handled; null before the first
     * @param lastSkip why the last of those that asked for nothing did; null before the first
     */
    public record Mail(
            String standing,
            boolean watching,
            long connections,
            long handled,
            long repeated,
            @Nullable Instant last,
            List<Skipped> skipped,
            @Nullable String lastSkip) {

        public Mail {
            skipped = List.copyOf(skipped);
        }
    }

    /** How many mails asked for nothing, and why. */
    public record Skipped(String why, long count) {}
}
