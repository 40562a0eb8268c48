package dev.postern.ingress;

import dev.postern.acceptance.CoalescingRequest;
import dev.postern.acceptance.CursorUpdate;
import dev.postern.acceptance.IdempotencyKey;
import dev.postern.acceptance.Intake;
import dev.postern.acceptance.RunEndWaiters;
import dev.postern.acceptance.Submission;
import dev.postern.acceptance.SubmissionSource;
import dev.postern.mapping.HookRegistry.MatchedResult;
import dev.postern.mapping.MappingResult;
import dev.postern.model.AllowedAction;
import dev.postern.model.HookAction;
import dev.postern.model.HookRequest;
import dev.postern.model.HookResult;
import dev.postern.model.Receipt;
import dev.postern.model.Rejection;
import dev.postern.model.RequestOrigin;
import dev.postern.model.RunId;
import dev.postern.model.RunLookup;
import dev.postern.model.Sha256;
import dev.postern.model.SignedContent;
import dev.postern.model.TraceContext;
import dev.postern.observe.TraceSpan;
import dev.postern.policy.PolicyDecision;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The only path of an admitted request to the database: the request is mapped, checked by policy and accepted. */
public final class Ingress {

    private final RequestPreview preview;
    private final Intake intake;
    private final RunEndWaiters watch;
    private final RequestRecorder requestRecorder;
    private final SkippedRequests skipped;
    private final Map<String, LongAdder> joined = new ConcurrentHashMap<>();
    private volatile Predicate<HookRequest> payloadListener = request -> false;

    /**
     * Creates the path.
     *
     * @param preview maps requests and checks them, up to the database
     * @param intake accepts submissions into the database
     * @param watch waits for the ends of runs
     * @param requestRecorder records admitted requests
     * @param skipped counts the requests whose events a Postern caused
     */
    public Ingress(
            RequestPreview preview,
            Intake intake,
            RunEndWaiters watch,
            RequestRecorder requestRecorder,
            SkippedRequests skipped) {
        this.preview = preview;
        this.intake = intake;
        this.watch = watch;
        this.requestRecorder = requestRecorder;
        this.skipped = skipped;
    }

    /**
     * The current state of the run {@code id}.
     *
     * @param sender the id of the sender that asks; it finds its own runs only. Null for a request that has all rights.
     */
    public RunLookup run(RunId id, @Nullable String sender) {
        return found(intake.run(id), sender);
    }

    /** The current revisions of {@code runs}, as {@link Intake#revisions}. */
    public Optional<Map<RunId, String>> revisions(Collection<RunId> runs) {
        return intake.revisions(runs);
    }

    /** The current state of the delivery {@code id}, which has no agent; {@code sender} is as in {@link #run}. */
    public RunLookup delivery(String id, @Nullable String sender) {
        return found(intake.delivery(id), sender);
    }

    private static RunLookup found(RunLookup lookup, @Nullable String sender) {
        if (sender == null) {
            return lookup;
        }
        boolean isRunOfAnother = lookup instanceof RunLookup.Found found
                && !sender.equals(found.run().sender());
        boolean isDeliveryOfAnother = lookup instanceof RunLookup.FoundDelivery found
                && !sender.equals(found.delivery().sender());
        return isRunOfAnother || isDeliveryOfAnother ? new RunLookup.Unknown() : lookup;
    }

    /**
     * A future that completes when the run has ended or {@code wait} has passed. It does not notice a run that ended
     * before the call, so read the run once right after the call.
     */
    public CompletableFuture<RunId> ended(RunId id, Duration wait) {
        return watch.ended(id, wait);
    }

    /** Submits an admitted request. Waits for at most one commit of the database. */
    public HookResult submit(HookRequest request) {
        if (payloadListener.test(request)) {
            return logged(request, "", new HookResult.Nothing());
        }
        return process(request, null);
    }

    /**
     * Submits a request that Postern has fetched from a source itself, as {@link #submit(HookRequest)} does.
     *
     * @param cursorUpdate the move of the source's cursor. It takes place in the transaction that accepts the request
     *     or finds its idempotency key used. With any other result, the cursor stays.
     */
    public HookResult submit(HookRequest request, CursorUpdate cursorUpdate) {
        return process(request, cursorUpdate);
    }

    /** The number of requests of the mapping {@code id} so far that joined earlier ones. */
    public long joined(String id) {
        LongAdder count = joined.get(id);
        return count == null ? 0 : count.sum();
    }

    /** Rejects an admitted request before it is mapped. */
    public HookResult reject(HookRequest request, Rejection rejection) {
        return logged(request, "", new HookResult.Rejected(rejection));
    }

    private HookResult process(HookRequest request, @Nullable CursorUpdate cursorUpdate) {
        try (TraceSpan span = TraceSpan.ofRequest(request.trace())) {
            MatchedResult matchedResult = map(request);
            HookResult result = accept(matchedResult, request, cursorUpdate, span.context());
            if (span.isRecording()) {
                describe(span, request, matchedResult.mapping(), result);
            }
            return logged(request, matchedResult.mapping(), result);
        }
    }

    private MatchedResult map(HookRequest request) {
        try (TraceSpan span = TraceSpan.child("mapping")) {
            MatchedResult matchedResult = preview.take(request);
            span.set("postern.mapping", matchedResult.mapping());
            return matchedResult;
        }
    }

    private HookResult commit(Submission submission) {
        try (TraceSpan span = TraceSpan.child("commit")) {
            HookResult result = intake.accept(submission);
            if (span.isRecording()) {
                span.set("postern.actions", (long) submission.actions().size());
            }
            return result;
        }
    }

    private static void describe(TraceSpan span, HookRequest request, String mapping, HookResult result) {
        RequestOrigin origin = request.origin();
        span.set("postern.request.id", origin == null ? null : origin.requestId())
                .set("postern.hook", request.hook())
                .set("postern.mapping", mapping)
                .set("postern.sender", request.sender())
                .set("postern.result", result.getClass().getSimpleName());
        if (result instanceof HookResult.Accepted accepted
                && accepted.receipts().size() == 1
                && accepted.receipts().get(0) instanceof Receipt.Run run) {
            span.set("postern.run.id", run.id().value());
        }
    }

    /** Adds {@code request} to the request log, unless the commit that accepted it has done that. */
    private HookResult logged(HookRequest request, String mapping, HookResult result) {
        RequestOrigin origin = request.origin();
        if (origin != null && !(result instanceof HookResult.Accepted)) {
            requestRecorder.record(request, origin, mapping, result);
        }
        return result;
    }

    private HookResult accept(
            MatchedResult matchedResult,
            HookRequest request,
            @Nullable CursorUpdate cursorUpdate,
            @Nullable TraceContext trace) {
        if (matchedResult.mapped() instanceof MappingResult.Final last) {
            if (last.result() instanceof HookResult.Nothing nothing) {
                skipped.add(matchedResult.mapping(), nothing.reason());
            }
            return last.result();
        }
        MappingResult.Actions asked = (MappingResult.Actions) matchedResult.mapped();
        List<AllowedAction> allowed = new ArrayList<>(asked.actions().size());
        for (HookAction action : asked.actions()) {
            PolicyDecision policyDecision = preview.decide(action, request.sender());
            if (policyDecision instanceof PolicyDecision.Denied denied) {
                return new HookResult.Rejected(denied.rejection());
            }
            allowed.add(((PolicyDecision.Allowed) policyDecision).action());
        }
        byte[] sha256 = Sha256.of(request.body());
        Submission submission = new Submission(
                        allowed,
                        idempotency(asked, request, sha256),
                        request.body().length,
                        sha256,
                        cursorUpdate,
                        source(request, matchedResult.mapping(), asked.successStatus()))
                .in(trace);
        MappingResult.@Nullable Group group = asked.group();
        if (group != null) {
            String id = GroupId.of(
                    group,
                    matchedResult.mapping(),
                    request.sender(),
                    asked.actions().get(0),
                    allowed.get(0));
            submission = submission.within(new CoalescingRequest(id, group.rule()));
        }
        HookResult result = commit(submission);
        if (result instanceof HookResult.Accepted accepted && accepted.coalesced() > 0 && !accepted.replayed()) {
            joined.computeIfAbsent(matchedResult.mapping(), first -> new LongAdder())
                    .increment();
        }
        return result instanceof HookResult.Accepted accepted ? completed(accepted, asked, request) : result;
    }

    /**
     * Adds to {@code accepted} what the sender is told. A repeat may match another mapping than its first request, because
     * headers are not signed: its sender is told the reply only if every mapping of the path tells it.
     */
    private HookResult.Accepted completed(
            HookResult.Accepted accepted, MappingResult.Actions asked, HookRequest request) {
        boolean tellsReply = !request.bySignature()
                || (accepted.replayed() ? preview.repliesToSender(request.hook()) : asked.replyToSender());
        return new HookResult.Accepted(
                accepted.receipts(),
                asked.fanOut() || accepted.receipts().size() > 1,
                accepted.replayed(),
                tellsReply,
                accepted.coalesced(),
                asked.successStatus());
    }

    private @Nullable SubmissionSource source(HookRequest request, String mapping, @Nullable Integer successStatus) {
        RequestOrigin origin = request.origin();
        return origin == null
                ? null
                : new SubmissionSource(
                        origin,
                        request.hook(),
                        mapping,
                        request.receivedAt(),
                        requestRecorder.payload(request, mapping),
                        successStatus);
    }

    /**
     * Sets the listener that receives each admitted request from now on, before it is mapped. Does not apply to fetched
     * requests. Some requests only announce that there is something to fetch, and the listener begins to fetch it.
     *
     * @param listener true for a request whose fetch has been triggered, so that there is nothing to map; false if the
     *     request is still to be mapped. It must be quick
     */
    public void setPayloadListener(Predicate<HookRequest> listener) {
        payloadListener = listener;
    }

    /**
     * The key that detects repeats of the request: its idempotency key and, if a signature alone authenticated it, the
     * signed content. The signed content is bound to the hook's path, as the signature is: which mapping takes the
     * request can depend on headers that are not signed. Null if the request has neither.
     */
    private static @Nullable IdempotencyKey idempotency(
            MappingResult.Actions asked, HookRequest request, byte[] bodySha256) {
        MappingResult.@Nullable Key key = asked.key();
        SignedContent signed = request.bySignature() ? request.signed() : null;
        if (key == null && signed == null) {
            return null;
        }
        String content = HexFormat.of().formatHex(contentSha256(request.hook(), bodySha256));
        @Nullable String bytes = signed == null ? null : Sha256.name(request.hook() + '\0' + signed.sha256(), 32);
        return key == null
                ? IdempotencyKey.ofSigned(Objects.requireNonNull(bytes), content)
                : new IdempotencyKey(
                        IdempotencyKeyRules.stored(request.sender(), asked.keySpace(), key.value()),
                        content,
                        key.chosen(),
                        bytes);
    }

    /**
     * The hash of a request's content, which is the bytes of its body and its hook. Headers and query are not part of
     * it, although templates may read them: a sender that repeats a delivery counts, dates and signs it again there.
     */
    private static byte[] contentSha256(String hook, byte[] bodySha256) {
        MessageDigest digest = Sha256.digest();
        digest.update(hook.getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
        return digest.digest(bodySha256);
    }
}
