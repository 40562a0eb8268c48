package dev.postern.requests;

import dev.postern.ingress.Explanation;
import dev.postern.ingress.Ingress;
import dev.postern.ingress.RequestPreview;
import dev.postern.model.HookRequest;
import dev.postern.model.HookResult;
import dev.postern.model.IdGenerator;
import dev.postern.model.OperatorResult;
import dev.postern.model.Receipt;
import dev.postern.model.RequestLogEntry;
import dev.postern.model.RequestOrigin;
import dev.postern.requests.PayloadQueries.PayloadResult;
import dev.postern.store.StoreException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A replay of requests whose payloads are kept: each is mapped as mappings are now, and accepted as a new request that names
 * its origin. It keeps its sender's rights: what a signature alone let in opens only the mappings of its own path, and
 * a request of a sender with a token of its own stays within that sender's scope, as it is now.
 */
public final class RequestReplay {

    /** The most requests that are replayed in one call. */
    public static final int AT_ONCE = 200;

    /** The credential of replays in the request log. */
    private static final String CREDENTIAL = "replay";

    private final Ingress ingress;
    private final RequestPreview preview;
    private final RequestQueries requestQueries;
    private final PayloadQueries payloadQueries;
    private final IdGenerator idGenerator;
    private final InstantSource clock;

    /** @param preview explains what a request would become */
    public RequestReplay(
            Ingress ingress,
            RequestPreview preview,
            RequestQueries requestQueries,
            PayloadQueries payloadQueries,
            IdGenerator idGenerator,
            InstantSource clock) {
        this.ingress = ingress;
        this.preview = preview;
        this.requestQueries = requestQueries;
        this.payloadQueries = payloadQueries;
        this.idGenerator = idGenerator;
        this.clock = clock;
    }

    /**
     * What a replay of the request {@code requestId} would lead to; nothing is done.
     *
     * @return empty if there is no such request, or its payload can't be read
     */
    public Optional<Explanation> explain(String requestId) throws StoreException {
        @Nullable HookRequest request = request(requestId, null);
        return request == null ? Optional.empty() : Optional.of(preview.explain(request));
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
            return failure.status() >= 503
                    ? new OperatorResult.Unavailable(sentence)
                    : new OperatorResult.Conflict(sentence + now);
        }
        return new OperatorResult.Done("The request was replayed, and there was nothing to do." + now);
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
     * @param nextSince the arrival from which on there are more; null if these are all
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
        for (RequestLogEntry entry : first(found)) {
            String id = String.valueOf(entry.requestId());
            @Nullable Explanation explanation = explain(id).orElse(null);
            if (explanation != null) {
                failed.add(new Failed(entry, explanation));
            } else if (payloadQueries.find(id) instanceof PayloadResult.Undecipherable other) {
                unreadable++;
                problem = other.sentence();
            }
        }
        return new FailedPage(failed, unreadable, problem, nextSince(found));
    }

    private static List<RequestLogEntry> first(List<RequestLogEntry> found) {
        return found.subList(0, Math.min(found.size(), AT_ONCE));
    }

    /** The arrival of the first of {@code found} that is one too many, as its id has it, by which requests are found. */
    private static @Nullable Instant nextSince(List<RequestLogEntry> found) {
        return found.size() > AT_ONCE
                ? IdGenerator.moment(String.valueOf(found.get(AT_ONCE).requestId()))
                : null;
    }

    /**
     * A request that was chosen for a replay.
     *
     * @param request null if there is no such request
     * @param explanation what a replay would lead to; null if it can't be replayed
     * @param problem why it can't be replayed, in a sentence; empty if it can
     */
    public record Preview(
            String requestId, @Nullable RequestLogEntry request, @Nullable Explanation explanation, String problem) {}

    /** What a replay of each of {@code requestIds} would lead to, in their order; nothing is done. */
    public List<Preview> preview(List<String> requestIds) throws StoreException {
        List<Preview> previews = new ArrayList<>();
        for (String id : requestIds) {
            @Nullable Explanation explanation = explain(id).orElse(null);
            previews.add(new Preview(
                    id,
                    requestQueries.find(id).map(RequestQueries.Found::request).orElse(null),
                    explanation,
                    explanation == null ? unreadable(id).sentence() : ""));
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
        List<RequestLogEntry> failed = first(found);
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
        @Nullable Instant next = nextSince(found);
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
        if (requestQueries.find(requestId).isEmpty()) {
            return new OperatorResult.NotFound();
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
