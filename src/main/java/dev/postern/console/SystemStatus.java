package dev.postern.console;

import dev.postern.ingress.SkippedRequests.OtherPostern;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The status of this Postern. A null value is unknown, since the database or another source does not answer, or there is
 * none.
 *
 * @param parts the results of the health checks
 * @param answers whether the database answers
 * @param waiting the number of pending actions, of all nodes: accepted and not done
 * @param mostWaiting the limit of pending actions
 * @param running the number of turns that run on this node
 * @param mostRunning the limit of turns that run on this node at once
 * @param threads the owner of the threads that turns run on, in a few words
 * @param oldestRun the age of the oldest queued run
 * @param oldestEvent the age of the oldest event that waits for a heartbeat
 * @param deliveriesPending the number of deliveries still to be sent
 * @param commitMs the average time of a commit, in milliseconds
 * @param commits the number of commits since the start
 * @param failedWrites the number of writes that the database did not take
 * @param providers the results of the runs that ended recently, by model provider
 * @param channels the results of the deliveries that ended recently, by channel
 * @param outages the providers that are down now, for this node
 * @param waitingForProvider the number of runs that wait for a provider that is down
 * @param undecidedApprovals the number of tool calls that wait for an operator's approval
 * @param budgets the budgets and what is used of them
 * @param switchedOff the transforms that are switched off now
 * @param otherPosterns the mappings that another Postern has reached within the last hour, on this node
 * @param lockedOut the number of clients that are locked out now, of the hooks and of the login
 * @param freeBytes the free space on the disk of the home, in bytes
 * @param mail the status of the mail watch; null where no mailbox is watched
 */
record SystemStatus(
        List<Part> parts,
        boolean answers,
        @Nullable Long waiting,
        long mostWaiting,
        int running,
        int mostRunning,
        String threads,
        @Nullable Duration oldestRun,
        @Nullable Duration oldestEvent,
        @Nullable Long deliveriesPending,
        double commitMs,
        long commits,
        long failedWrites,
        RecentResults providers,
        RecentResults channels,
        List<RuntimeInfo.Outage> outages,
        @Nullable Long waitingForProvider,
        @Nullable Long undecidedApprovals,
        @Nullable List<BudgetLine> budgets,
        List<String> switchedOff,
        List<OtherPostern> otherPosterns,
        long lockedOut,
        @Nullable Long freeBytes,
        RuntimeInfo.@Nullable Mail mail) {

    /**
     * The result of a health check.
     *
     * @param name the name of the check
     * @param status {@code up}, {@code impaired} or {@code down}
     * @param words the status in words for the operator
     */
    record Part(String name, String status, String words) {

        boolean works() {
            return status.equals("up");
        }
    }

    /**
     * The results of the runs or deliveries that ended recently.
     *
     * @param all the results of the configured services; null where they are unknown
     * @param failed the number of failures, of all services; 0 where it is unknown
     * @param latest the number of runs or deliveries counted, where there may be more; null where all were counted
     * @param failures the address below {@code /console/} that lists the failures
     */
    record RecentResults(@Nullable List<ServiceStatus> all, long failed, @Nullable Integer latest, String failures) {

        static final RecentResults UNKNOWN = new RecentResults(null, 0, null, "");
    }
}
