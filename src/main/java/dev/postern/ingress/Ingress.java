package dev.postern.ingress;

import dev.postern.acceptance.CursorUpdate;
import dev.postern.acceptance.IdempotencyKey;
import dev.postern.acceptance.Intake;
import dev.postern.acceptance.RunEndWaiters;
import dev.postern.acceptance.Submission;
import dev.postern.mapping.HookRegistry.Taken;
import dev.postern.mapping.MappingResult;
import dev.postern.model.AllowedAction;
import dev.postern.model.HookAction;
import dev.postern.model.HookRequest;
import dev.postern.model.HookResult;
import dev.postern.model.RunId;
import dev.postern.model.RunLookup;
import dev.postern.model.Sha256;
import dev.postern.model.SignedContent;
import dev.postern.policy.PolicyDecision;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The one path from an admitted payload to the database: mapped, judged, accepted. */
public final class Ingress {

    private final RequestPreview preview;
    private final Intake intake;
    private final RunEndWaiters watch;
    private volatile PayloadListener payloadListener = request -> false;

    /**
     * Joins the rooms that a payload passes.
     *
     * @param preview the way up to the database
     */
    public Ingress(RequestPreview preview, Intake intake, RunEndWaiters watch) {
        this.preview = preview;
        this.intake = intake;
        this.watch = watch;
    }

    /** The run called {@code id}, as it stands. */
    public RunLookup run(RunId id) {
        return intake.run(id);
    }

    /**
     * A future that completes when it is time to look at a run: it has ended, or {@code wait} is over. A run that had ended
     * before the call goes unnoticed, so look at it once right afterwards.
     */
    public CompletableFuture<RunId> ended(RunId id, Duration wait) {
        return watch.ended(id, wait);
    }

    /**
     * What became of a payload.
     *
     * @param mapping the id of the mapping that took it; empty where none did, or none is needed
     */
    public record Submitted(HookResult result, String mapping) {}

    /** Takes a payload that a door has admitted all the way. Waits for at most one commit of the database. */
    public Submitted submit(HookRequest request) {
        if (payloadListener.ring(request)) {
            return new Submitted(new HookResult.Nothing(), "");
        }
        Taken taken = preview.take(request);
        return new Submitted(become(taken, request, null), taken.mapping());
    }

    /**
     * As {@link #submit(HookRequest)}, for what a door has read by itself.
     *
     * @param cursorUpdate the door's bookmark, which moves in the transaction that accepts the payload, or finds its idempotency
     *     key used; with any other result it stays where it is
     */
    public HookResult submit(HookRequest request, CursorUpdate cursorUpdate) {
        return become(preview.take(request), request, cursorUpdate);
    }

    private HookResult become(Taken taken, HookRequest request, @Nullable CursorUpdate cursorUpdate) {
        if (taken.mapped() instanceof MappingResult.Final last) {
            return last.result();
        }
        MappingResult.Actions asked = (MappingResult.Actions) taken.mapped();
        List<AllowedAction> allowed = new ArrayList<>(asked.actions().size());
        for (HookAction action : asked.actions()) {
            PolicyDecision policyDecision = preview.judge(action);
            if (policyDecision instanceof PolicyDecision.Denied denied) {
                return new HookResult.Rejected(denied.rejection());
            }
            allowed.add(((PolicyDecision.Allowed) policyDecision).action());
        }
        byte[] sha256 = Sha256.of(request.body());
        HookResult result = intake.accept(new Submission(
                allowed, idempotency(asked, request, sha256), request.body().length, sha256, cursorUpdate));
        return result instanceof HookResult.Accepted accepted
                ? new HookResult.Accepted(
                        accepted.receipts(),
                        asked.fanOut(),
                        accepted.replayed(),
                        asked.replyToSender() || !request.bySignature())
                : result;
    }

    /** Has {@code bell} hear of each payload that is sent from now on, before it is mapped. */
    public void hang(PayloadListener bell) {
        payloadListener = bell;
    }

    /**
     * What the request is known again by: the key that it goes by and, where a signature alone let it in, what was signed. That
     * belongs to its path as the signature does: which mapping takes it can depend on headers that nobody signs.
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
                        IdempotencyKeyRules.stored(asked.keySpace(), key.value()), content, key.chosen(), bytes);
    }

    /**
     * The same content is the same bytes at the same hook. Headers and query are no part of it, though templates may read
     * them: a sender that repeats a delivery counts, dates and signs it anew there.
     */
    private static byte[] contentSha256(String hook, byte[] bodySha256) {
        MessageDigest digest = Sha256.digest();
        digest.update(hook.getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
        return digest.digest(bodySha256);
    }
}
