package dev.postern.ingress;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.acceptance.Acceptance;
import dev.postern.acceptance.IdempotencyKey;
import dev.postern.acceptance.Intake;
import dev.postern.acceptance.RunWatch;
import dev.postern.acceptance.Submission;
import dev.postern.mapping.Arrival;
import dev.postern.mapping.Mapped;
import dev.postern.mapping.Mappings;
import dev.postern.model.AllowedAction;
import dev.postern.model.HookAction;
import dev.postern.model.Lookup;
import dev.postern.model.Rejection;
import dev.postern.model.RunId;
import dev.postern.policy.Judgement;
import dev.postern.policy.Policy;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The one path from an admitted payload to the database: mapped, judged, accepted. */
public final class Ingress {

    private static final int MAX_KEY_LENGTH = 255;

    private final Mappings mappings;
    private final Policy policy;
    private final Intake intake;
    private final RunWatch watch;

    /** Joins the rooms that a payload passes. */
    public Ingress(Mappings mappings, Policy policy, Intake intake, RunWatch watch) {
        this.mappings = mappings;
        this.policy = policy;
        this.intake = intake;
        this.watch = watch;
    }

    /** The run called {@code id}, as it stands. */
    public Lookup run(RunId id) {
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
     * Takes a payload that a door has admitted all the way. Waits for at most one commit of the database.
     *
     * @param hook the path below the hook prefix, without leading or trailing slash
     * @param payload any JSON value
     * @param givenKey the idempotency key that the door was given beside the payload, as given; null where there was none
     * @param body the payload's bytes as they arrived
     */
    public Outcome submit(String hook, JsonNode payload, @Nullable String givenKey, byte[] body) {
        Mapped mapped = mappings.map(new Arrival(hook, payload));
        if (mapped instanceof Mapped.Unfit unfit) {
            return new Outcome.Rejected(unfit.rejection());
        }
        if (!(mapped instanceof Mapped.Actions asked)) {
            return new Outcome.NoSuchHook();
        }
        @Nullable String key = givenKey != null ? givenKey : asked.idempotencyKey();
        if (key != null && !isKey(key)) {
            String field = givenKey != null ? "Idempotency-Key" : "idempotencyKey";
            return new Outcome.Rejected(
                    Rejection.invalid(field, field + " must have 1 to 255 characters and no control characters."));
        }
        List<AllowedAction> allowed = new ArrayList<>(asked.actions().size());
        for (HookAction action : asked.actions()) {
            Judgement judgement = policy.judge(action);
            if (judgement instanceof Judgement.Denied denied) {
                return new Outcome.Rejected(denied.rejection());
            }
            allowed.add(((Judgement.Allowed) judgement).action());
        }
        return accept(allowed, key, hook, body);
    }

    private Outcome accept(List<AllowedAction> actions, @Nullable String key, String hook, byte[] body) {
        byte[] sha256 = sha256(body);
        @Nullable
        IdempotencyKey idempotency = key == null ? null : new IdempotencyKey(key, contentSha256(hook, sha256));
        Acceptance acceptance = intake.accept(new Submission(actions, idempotency, body.length, sha256));
        if (acceptance instanceof Acceptance.Accepted accepted) {
            return new Outcome.Accepted(accepted.receipts(), accepted.replayed());
        }
        if (acceptance instanceof Acceptance.Conflict) {
            return new Outcome.IdempotencyConflict();
        }
        if (acceptance instanceof Acceptance.Overloaded overloaded) {
            return new Outcome.Overloaded(overloaded.retryAfter());
        }
        Acceptance.Unavailable unavailable = (Acceptance.Unavailable) acceptance;
        return new Outcome.Unavailable(unavailable.retryAfter(), unavailable.cause());
    }

    /** The same content is the same bytes at the same hook. */
    private static byte[] contentSha256(String hook, byte[] bodySha256) {
        MessageDigest digest = sha256();
        digest.update(hook.getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
        return digest.digest(bodySha256);
    }

    private static byte[] sha256(byte[] bytes) {
        return sha256().digest(bytes);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static boolean isKey(String key) {
        return !key.isBlank() && key.length() <= MAX_KEY_LENGTH && key.chars().noneMatch(Character::isISOControl);
    }
}
