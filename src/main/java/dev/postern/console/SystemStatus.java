package dev.postern.console;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How Postern is now. What is null is not known, since the database, or who else would know, does not answer.
 *
 * @param parts those that make Postern ready
 * @param answers whether the database answers
 * @param waiting accepted actions that are not done
 * @param mostWaiting as many as there may be
 * @param running turns under way on this node
 * @param mostRunning as many as there may be
 * @param threads whose they run on
 * @param oldestRun how long the run that has waited longest for its turn has waited
 * @param oldestEvent the same of what waits for a heartbeat
 * @param deliveriesPending still to be sent
 * @param commitMillis what a commit takes on average
 * @param providers what became of the runs that ended lately, by whose model they had
 * @param channels what became of the deliveries that ended lately
 * @param switchedOff the transforms that are switched off now
 * @param lockedOut clients that are locked out now, of the hooks and of logging in
 * @param freeBytes what the disk of the home has room for
 * @param mail null where no mailbox is watched
 */
record SystemStatus(
        List<Part> parts,
        boolean answers,
        long waiting,
        long mostWaiting,
        int running,
        int mostRunning,
        String threads,
        @Nullable Duration oldestRun,
        @Nullable Duration oldestEvent,
        @Nullable Long deliveriesPending,
        double commitMillis,
        long commits,
        long failedWrites,
        Lately providers,
        Lately channels,
        List<String> switchedOff,
        long lockedOut,
        @Nullable Long freeBytes,
        RuntimeInfo.@Nullable Mail mail) {

    /**
     * One of the parts that make Postern ready.
     *
     * @param state {@code up}, {@code impaired} or {@code down}
     */
    record Part(String name, String state, String words) {

        boolean works() {
            return state.equals("up");
        }
    }

    /**
     * What ended lately.
     *
     * @param all null where it is not known
     * @param latest so many were looked at; null where that were all
     * @param failures where those that did not end well are to be seen, below {@code /console/}
     */
    record Lately(@Nullable List<ServiceStatus> all, @Nullable Integer latest, String failures) {

        static final Lately UNKNOWN = new Lately(null, null, "");

        /** How many did not end well; 0 where it is not known. */
        long failed() {
            return all == null
                    ? 0
                    : all.stream().mapToLong(ServiceStatus::failed).sum();
        }
    }
}
