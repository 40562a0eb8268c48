package dev.postern.console;

import dev.postern.ingress.SkippedRequests.OtherPostern;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The information about Postern's services that this package can't call itself. The suppliers are asked each time.
 *
 * @param database the kind and origin of the database, in a few words
 * @param threads the owner of the threads that turns and deliveries run on, in a few words
 * @param switchedOff the transforms that are switched off now
 * @param outages the providers that are down now, for this node
 * @param otherPosterns the mappings that another Postern has reached within the last hour, on this node
 * @param mail the status of the mail watch; null where there is none
 */
public record RuntimeInfo(
        String database,
        String threads,
        Supplier<List<String>> switchedOff,
        Supplier<List<Outage>> outages,
        Supplier<List<OtherPostern>> otherPosterns,
        @Nullable Supplier<Mail> mail) {

    /**
     * An outage of a provider.
     *
     * @param since the time from which this node no longer sends it every request
     * @param reason its last failure
     */
    public record Outage(String provider, Instant since, String reason) {}

    /**
     * The status of the mail watch, with its counts since the start of this node.
     *
     * @param standing the state in a few words, and since when
     * @param watching whether this node is connected and reads
     * @param connections the number of connections made
     * @param handled the number of mails whose hook was accepted
     * @param repeated the number of mails that were handled before
     * @param last the time at which the last mail was handled; null before the first
     * @param skipped the numbers of mails that were skipped, by reason
     * @param lastSkip the reason why the last skipped mail was skipped; null before the first
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

    /** The number of mails that were skipped for one reason. */
    public record Skipped(String why, long count) {}
}
