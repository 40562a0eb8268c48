package dev.postern.requests;

import dev.postern.ingress.Explanation;
import dev.postern.model.HookRequest;
import dev.postern.model.RequestLogEntry;
import dev.postern.model.RequestOrigin;
import dev.postern.requests.PayloadQueries.PayloadResult;
import dev.postern.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A backtest: the requests whose payloads are kept go through two configurations, or through one that is compared with the
 * request log. Each counts as arriving when it did arrive. Nothing is accepted, and nothing is written.
 */
public final class Backtest {

    /** The number of requests that are read from the log at once. */
    private static final int PAGE = 200;

    private final RequestQueries requestQueries;
    private final PayloadQueries payloadQueries;
    private final LongSupplier nanos;

    /** @param nanos as {@link System#nanoTime} */
    public Backtest(RequestQueries requestQueries, PayloadQueries payloadQueries, LongSupplier nanos) {
        this.requestQueries = requestQueries;
        this.payloadQueries = payloadQueries;
        this.nanos = nanos;
    }

    /** A configuration, which explains what it makes of a request. */
    @FunctionalInterface
    public interface Side {

        /** Explains what {@code request} leads to, at the time of its arrival; nothing is done. */
        Explanation explain(HookRequest request);
    }

    /**
     * The requests that a backtest is about.
     *
     * @param since the earliest arrival
     * @param mapping the id of the mapping that takes a request on either side; null for all requests
     * @param most the most requests that are put through, the latest
     * @param longest the time after which no further request is put through
     */
    public record Scope(Instant since, @Nullable String mapping, int most, Duration longest) {}

    /** A request that the two sides treat differently. */
    public record ChangedRequest(RequestLogEntry request, List<OutcomeDifference> differences) {

        public ChangedRequest {
            differences = List.copyOf(differences);
        }
    }

    /**
     * A summary of a backtest.
     *
     * @param requests the number of requests that were put through and belong to the mapping
     * @param changed the number of those that the two sides treat differently
     * @param unreadable the number of payloads that can't be decrypted
     * @param problem why one of them can't; null if all can
     * @param cut the arrival of the last request that was put through, if there are earlier ones; null if there are none
     */
    public record Summary(int requests, int changed, int unreadable, @Nullable String problem, @Nullable Instant cut) {}

    /**
     * Puts the requests of {@code scope} through both sides, the latest first.
     *
     * @param before null to compare with what the request log says
     * @param receiver gets each changed request
     */
    public Summary run(Scope scope, @Nullable Side before, Side after, Consumer<ChangedRequest> receiver)
            throws StoreException {
        Progress progress = new Progress(scope, before, after, receiver);
        long start = nanos.getAsLong();
        @Nullable RequestLogEntry last = null;
        while (true) {
            List<RequestLogEntry> page =
                    requestQueries.kept(scope.since(), last == null ? null : last.requestId(), PAGE);
            for (RequestLogEntry entry : page) {
                boolean late = nanos.getAsLong() - start > scope.longest().toNanos();
                if (late || progress.seen == scope.most()) {
                    return progress.summary(last == null ? entry.at() : last.at());
                }
                progress.add(entry);
                last = entry;
            }
            if (page.size() < PAGE) {
                return progress.summary(null);
            }
        }
    }

    /** The progress of one run. */
    private final class Progress {

        private final Scope scope;
        private final @Nullable Side before;
        private final Side after;
        private final Consumer<ChangedRequest> receiver;
        private int seen;
        private int requests;
        private int changed;
        private int unreadable;
        private @Nullable String problem;

        private Progress(Scope scope, @Nullable Side before, Side after, Consumer<ChangedRequest> receiver) {
            this.scope = scope;
            this.before = before;
            this.after = after;
            this.receiver = receiver;
        }

        private void add(RequestLogEntry entry) throws StoreException {
            seen++;
            PayloadResult result = payloadQueries.find(String.valueOf(entry.requestId()));
            if (result instanceof PayloadResult.Undecipherable other) {
                unreadable++;
                problem = other.sentence();
            } else if (result instanceof PayloadResult.Found found) {
                compare(entry, found.payload().request(null, entry.at()).from(origin(entry)));
            }
        }

        /** The origin of a request that is tried again, with the rights of its sender. */
        private static RequestOrigin origin(RequestLogEntry entry) {
            return new RequestOrigin(
                    String.valueOf(entry.requestId()),
                    entry.client(),
                    entry.credential(),
                    System.nanoTime(),
                    entry.sender(),
                    null);
        }

        private void compare(RequestLogEntry entry, HookRequest request) {
            RequestOutcome now = RequestOutcome.of(after.explain(request));
            RequestOutcome then =
                    before == null ? RequestOutcome.of(entry) : RequestOutcome.of(before.explain(request));
            if (scope.mapping() != null
                    && !scope.mapping().equals(now.mapping())
                    && !scope.mapping().equals(then.mapping())) {
                return;
            }
            requests++;
            List<OutcomeDifference> differences = differences(entry, request, then, now);
            if (!differences.isEmpty()) {
                changed++;
                receiver.accept(new ChangedRequest(entry, differences));
            }
        }

        /** The differences that come out a second time too. A script may draw a number by chance. */
        private List<OutcomeDifference> differences(
                RequestLogEntry entry, HookRequest request, RequestOutcome then, RequestOutcome now) {
            if (before == null) {
                return RequestOutcome.isConclusive(entry) ? then.differences(now.asLogged()) : List.of();
            }
            if (then.differing(now).isEmpty()) {
                return List.of();
            }
            Set<String> chance = new HashSet<>(then.differing(RequestOutcome.of(before.explain(request))));
            chance.addAll(now.differing(RequestOutcome.of(after.explain(request))));
            return then.without(chance).differences(now.without(chance));
        }

        private Summary summary(@Nullable Instant cut) {
            return new Summary(requests, changed, unreadable, problem, cut);
        }
    }
}
