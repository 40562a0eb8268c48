package dev.postern.console;

import dev.postern.config.ConfigurationResult;
import dev.postern.requests.OutcomeDifference;
import dev.postern.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A runner of backtests, which put kept payloads through a configuration and perform no action. One runs at a time. */
@FunctionalInterface
public interface BacktestRunner {

    /** The most requests that a backtest of the console puts through, the latest. */
    int MOST_REQUESTS = 1_000;

    /** The most changed requests that are shown. All are counted. */
    int MOST_CHANGES = 200;

    /** The most characters of differences that are shown. */
    int MOST_CHARACTERS = 500_000;

    /** The time after which no further request is put through. */
    Duration LONGEST = Duration.ofSeconds(20);

    /**
     * Runs a backtest; takes at most a little longer than {@link #LONGEST}, and the time to compile scripts.
     *
     * @param since the earliest arrival of a request
     * @param mapping the id of the mapping that takes a request on either side; null for all requests
     * @param changed the configuration that is compared with the running one; null to compare the running one with the
     *     request log
     */
    BacktestResult run(Instant since, @Nullable String mapping, @Nullable ConfigurationResult changed)
            throws StoreException;

    /** A result of a backtest that was asked for. */
    sealed interface BacktestResult {}

    /**
     * A result of a backtest that was run.
     *
     * @param requests the number of requests that were put through and belong to the mapping
     * @param changed the number of those that would change
     * @param unreadable the number of payloads that can't be decrypted
     * @param problem why one of them can't; null if all can
     * @param cut the arrival of the last request that was put through, if there are earlier ones; null if there are none
     * @param changes the changed requests, the latest first, as far as they are shown
     */
    record Compared(
            int requests,
            int changed,
            int unreadable,
            @Nullable String problem,
            @Nullable Instant cut,
            List<ChangedRequest> changes)
            implements BacktestResult {

        public Compared {
            changes = List.copyOf(changes);
        }
    }

    /** A request that would change. */
    record ChangedRequest(String requestId, Instant at, String hook, List<OutcomeDifference> differences) {

        public ChangedRequest {
            differences = List.copyOf(differences);
        }
    }

    /** A result without a backtest, because the changed configuration or the mapping has problems: a line each. */
    record Unusable(List<String> problems) implements BacktestResult {

        public Unusable {
            problems = List.copyOf(problems);
        }
    }

    /** A result without a backtest, because another one runs. */
    record Busy() implements BacktestResult {}
}
