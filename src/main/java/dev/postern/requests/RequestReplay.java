package dev.postern.requests;

import dev.postern.ingress.Explanation;
import dev.postern.ingress.Ingress;
import dev.postern.model.HookRequest;
import dev.postern.model.HookResult;
import dev.postern.model.IdGenerator;
import dev.postern.model.OperatorResult;
import dev.postern.model.Receipt;
import dev.postern.model.RequestLogEntry;
import dev.postern.model.RequestOrigin;
import dev.postern.requests.PayloadQueries.PayloadResult;
import dev.postern.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A replay of requests whose payloads are kept: each is mapped as mappings are now, and accepted as a new request that names
 * its origin. It keeps its sender's rights: what a signature alone let in opens only the mappings of its own path, and
 * a request of a sender with a token of its own stays within that sender's scope, as it is now.
 */
public final class RequestReplay {

    /** The most requests that are replayed in one call. */
    public static final int AT_ONCE = 200;

    /** The longest time for saying what replays would lead to. Scripts that are ended take most of it. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private static final String UNMAPPED = "The files of the mappings have changed, and can't be compiled any more.";

    /** The credential of replays in the request log. */
    private static final String CREDENTIAL = "replay";

    private final Ingress ingress;
    private final Function<HookRequest, Optional<Explanation>> trials;
    private final RequestQueries requestQueries;
    private final PayloadQueries payloadQueries;
    private final IdGenerator idGenerator;
    private final InstantSource clock;
    private final LongSupplier nanos;

    /**
     * @param trials explains what a request would become, without effect on the hooks: a script that fails too often there
     *     is not switched off for them. Empty if the mappings can't be compiled any more.
     * @param nanos as {@link System#nanoTime}
     */
    public RequestReplay(
            Ingress ingress,
            Function<HookRequest, Optional<Explanation>> trials,
            RequestQueries requestQueries,
            PayloadQueries payloadQueries,
            IdGenerator idGenerator,
            InstantSource clock,
            LongSupplier nanos) {
        this.ingress = ingress;
        this.trials = trials;
        this.requestQueries = requestQueries;
        this.payloadQueries = payloadQueries;
        this.idGenerator = idGenerator;
        this.clock = clock;
        this.nanos = nanos;
    }

    /**
     * Replays the request {@code requestId}. Waits for at most one commit of the database.
     *
     * @param attempt replays with the same one are accepted once, such as a form that was sent twice; without control
     *     characters, at most 100 characters
     */
    public OperatorResult replay(String requestId, String attempt) throws StoreException {
        @Nullable HookRequest request = request(requestId, "replay:" + requestId + ":" + attempt);
        if (request == null) {
            return unreadable(requestId);
        }
        HookResult result = ingress.submit(request);
        String now = " The new request is " + idOf(request) + ".";
        if (result instanceof HookResult.Accepted accepted) {
            Receipt first = accepted.receipts().get(0);
            return new OperatorResult.Done(
                    accepted.replayed()
                            ? "The request was replayed before; nothing was done."
                            : "The request was replayed." + now,
                    first instanceof Receipt.Run run ? run.id() : null);
        }
        if (result instanceof HookResult.Failure failure) {
            String sentence =
                    "The replay was answered " + failure.status() + " " + failure.code() + ": " + failure.sentence();
            return isDatabaseAway(failure)
                    ? new OperatorResult.Unavailable(sentence)
                    : new OperatorResult.Conflict(sentence + now);
        }
        return new OperatorResult.Done("The request was replayed, and there was nothing to do." + now);
    }

    /** Whether every other replay would fail in the same way, rather than those of one mapping or script. */
    private static boolean isDatabaseAway(HookResult.Failure failure) {
        return failure instanceof HookResult.Unavailable || failure instanceof HookResult.Uncertain;
    }

    /**
     * A failed request that can be replayed.
     *
     * @param explanation what a replay would lead to; nothing is done
     */
    public record Failed(RequestLogEntry request, Explanation explanation) {}

    /**
     * Failed requests that can be replayed together.
     *
     * @param requests at most {@link #AT_ONCE}
     * @param unreadable the number of requests among the earliest ones that can't be replayed
     * @param problem why they can't, in a sentence; empty if there are none
     * @param nextSince the arrival from which on there are more; null if these are all. They may be fewer than could be
     *     replayed together where it takes long to say what they would lead to.
     */
    public record FailedPage(List<Failed> requests, int unreadable, String problem, @Nullable Instant nextSince) {}

    /**
     * The failed requests that {@link #replayFailed} would replay, the earliest first.
     *
     * @param hook the path below the hook prefix; null for all
     * @param since the earliest arrival
     * @param until the end of the time of arrival, exclusive
     */
    public FailedPage failed(@Nullable String hook, Instant since, Instant until) throws StoreException {
        List<RequestLogEntry> found = requestQueries.failed(hook, since, until, AT_ONCE + 1);
        List<Failed> failed = new ArrayList<>();
        int unreadable = 0;
        String problem = "";
        int seen = 0;
        long start = nanos.getAsLong();
        while (seen < Math.min(found.size(), AT_ONCE) && isInTime(start)) {
            RequestLogEntry entry = found.get(seen++);
            String id = String.valueOf(entry.requestId());
            @Nullable HookRequest request = request(id, null);
            @Nullable
            Explanation explanation =
                    request == null ? null : trials.apply(request).orElse(null);
            if (explanation != null) {
                failed.add(new Failed(entry, explanation));
            } else if (request != null) {
                unreadable++;
                problem = UNMAPPED;
            } else if (payloadQueries.find(id) instanceof PayloadResult.Undecipherable other) {
                unreadable++;
                problem = other.sentence();
            }
        }
        return new FailedPage(failed, unreadable, problem, nextSince(found, seen));
    }

    private boolean isInTime(long start) {
        return nanos.getAsLong() - start < LONGEST.toNanos();
    }

    /** The arrival of the first of {@code found} after {@code seen}, as its id has it, by which requests are found. */
    private static @Nullable Instant nextSince(List<RequestLogEntry> found, int seen) {
        return found.size() > seen
                ? IdGenerator.moment(String.valueOf(found.get(seen).requestId()))
                : null;
    }

    /**
     * A request that was chosen for a replay.
     *
     * @param request null if there is no such request
     * @param explanation what a replay would lead to; null if that can't be said
     * @param problem why it can't, in a sentence; empty if it can
     */
    public record Preview(
            String requestId, @Nullable RequestLogEntry request, @Nullable Explanation explanation, String problem) {}

    /** What a replay of each of {@code requestIds} would lead to, in their order; nothing is done. */
    public List<Preview> preview(List<String> requestIds) throws StoreException {
        List<Preview> previews = new ArrayList<>();
        long start = nanos.getAsLong();
        for (String id : requestIds) {
            @Nullable
            RequestLogEntry entry =
                    requestQueries.find(id).map(RequestQueries.Found::request).orElse(null);
            @Nullable HookRequest request = request(id, null);
            if (request == null) {
                previews.add(new Preview(id, entry, null, unreadable(id).sentence()));
            } else if (!isInTime(start)) {
                previews.add(new Preview(id, entry, null, "The requests before it took too long. Choose fewer."));
            } else {
                Optional<Explanation> explanation = trials.apply(request);
                previews.add(new Preview(id, entry, explanation.orElse(null), explanation.isPresent() ? "" : UNMAPPED));
            }
        }
        return previews;
    }

    /**
     * Replays failed requests, each until one replay of it was accepted: at most {@link #AT_ONCE}, the earliest first, one
     * after the other. When that is interrupted, the next call continues.
     */
    public OperatorResult replayFailed(@Nullable String hook, Instant since, Instant until) throws StoreException {
        int done = 0;
        int unreadable = 0;
        String problem = "";
        List<RequestLogEntry> found = requestQueries.failed(hook, since, until, AT_ONCE + 1);
        List<RequestLogEntry> failed = found.subList(0, Math.min(found.size(), AT_ONCE));
        for (RequestLogEntry entry : failed) {
            String id = String.valueOf(entry.requestId());
            OperatorResult result = replay(id, "failed");
            if (result instanceof OperatorResult.Unavailable away) {
                return new OperatorResult.Unavailable(done + " requests were replayed. " + away.sentence());
            }
            if (result instanceof OperatorResult.Done) {
                done++;
            } else if (payloadQueries.find(id) instanceof PayloadResult.Undecipherable other) {
                unreadable++;
                problem = other.sentence();
            }
        }
        String again = (unreadable == 0 ? "" : " " + unreadable + " can't be read: " + problem)
                + (done + unreadable < failed.size() ? " The others failed again." : "");
        @Nullable Instant next = nextSince(found, failed.size());
        String more = next == null ? "" : " There are more, from " + next + " on.";
        return new OperatorResult.Done(done + " of " + failed.size() + " requests were replayed." + again + more);
    }

    private @Nullable HookRequest request(String requestId, @Nullable String idempotencyKey) throws StoreException {
        Optional<RequestQueries.Found> found = requestQueries.find(requestId);
        if (found.isEmpty() || !(payloadQueries.find(requestId) instanceof PayloadResult.Found kept)) {
            return null;
        }
        RequestOrigin origin = new RequestOrigin(
                idGenerator.request(),
                found.get().request().client(),
                CREDENTIAL,
                System.nanoTime(),
                found.get().request().sender(),
                requestId);
        return kept.payload().request(idempotencyKey, clock.instant()).from(origin);
    }

    private OperatorResult unreadable(String requestId) throws StoreException {
        Optional<RequestQueries.Found> found = requestQueries.find(requestId);
        if (found.isEmpty()) {
            return new OperatorResult.NotFound();
        }
        if (found.get().request().bytes() < 0) {
            return new OperatorResult.Conflict(
                    "The request was answered before its body was read, so it can't be replayed.");
        }
        return payloadQueries.find(requestId) instanceof PayloadResult.Undecipherable other
                ? new OperatorResult.Conflict(other.sentence())
                : new OperatorResult.Conflict("The payload of this request is not kept, so it can't be replayed.");
    }

    private static String idOf(HookRequest request) {
        return Optional.ofNullable(request.origin())
                .map(RequestOrigin::requestId)
                .orElse("");
    }
}
