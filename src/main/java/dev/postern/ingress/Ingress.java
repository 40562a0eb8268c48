package dev.postern.ingress;

import dev.postern.acceptance.Acceptance;
import dev.postern.acceptance.Advance;
import dev.postern.acceptance.IdempotencyKey;
import dev.postern.acceptance.Intake;
import dev.postern.acceptance.RunWatch;
import dev.postern.acceptance.Submission;
import dev.postern.mapping.Mapped;
import dev.postern.mapping.Mappings.Taken;
import dev.postern.model.AllowedAction;
import dev.postern.model.HookAction;
import dev.postern.model.Lookup;
import dev.postern.model.RunId;
import dev.postern.model.Sha256;
import dev.postern.policy.Judgement;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The one path from an admitted payload to the database: mapped, judged, accepted. */
public final class Ingress {

    private final Preview preview;
    private final Intake intake;
    private final RunWatch watch;
    private volatile Doorbell doorbell = inbound -> false;

    /**
     * Joins the rooms that a payload passes.
     *
     * @param preview the way up to the database
     */
    public Ingress(Preview preview, Intake intake, RunWatch watch) {
        this.preview = preview;
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
     * What became of a payload.
     *
     * @param mapping the id of the mapping that took it; empty where none did, or none is needed
     */
    public record Submitted(Outcome outcome, String mapping) {}

    /** Takes a payload that a door has admitted all the way. Waits for at most one commit of the database. */
    public Submitted submit(Inbound inbound) {
        if (doorbell.ring(inbound)) {
            return new Submitted(new Outcome.Nothing(), "");
        }
        Taken taken = preview.take(inbound);
        return new Submitted(become(taken, inbound, null).orElseThrow(), taken.mapping());
    }

    /**
     * As {@link #submit(Inbound)}, for what a door has read by itself.
     *
     * @param advance the door's bookmark, which moves in the transaction that accepts the payload, or finds its idempotency
     *     key used; with any other outcome it stays where it is
     * @return empty where the bookmark was not to be moved, and nothing happened
     */
    public Optional<Outcome> submit(Inbound inbound, Advance advance) {
        return become(preview.take(inbound), inbound, advance);
    }

    private Optional<Outcome> become(Taken taken, Inbound inbound, @Nullable Advance advance) {
        return taken.mapped().match(new Becoming(inbound, advance));
    }

    /** Has {@code bell} hear of each payload that is sent from now on, before it is mapped. */
    public void hang(Doorbell bell) {
        doorbell = bell;
    }

    /** What becomes of a payload, by what it asks for. */
    private final class Becoming implements Mapped.Cases<Optional<Outcome>> {

        private final Inbound inbound;
        private final @Nullable Advance advance;

        Becoming(Inbound inbound, @Nullable Advance advance) {
            this.inbound = inbound;
            this.advance = advance;
        }

        @Override
        public Optional<Outcome> actions(Mapped.Actions asked) {
            List<AllowedAction> allowed = new ArrayList<>(asked.actions().size());
            for (HookAction action : asked.actions()) {
                Judgement judgement = preview.judge(action);
                if (judgement instanceof Judgement.Denied denied) {
                    return Optional.of(new Outcome.Rejected(denied.rejection()));
                }
                allowed.add(((Judgement.Allowed) judgement).action());
            }
            return accept(allowed, asked, inbound, advance);
        }

        @Override
        public Optional<Outcome> nothing() {
            return Optional.of(new Outcome.Nothing());
        }

        @Override
        public Optional<Outcome> handshake(Mapped.Handshake handshake) {
            return Optional.of(new Outcome.Handshake(handshake.challenge()));
        }

        @Override
        public Optional<Outcome> noSuchHook() {
            return Optional.of(new Outcome.NoSuchHook());
        }

        @Override
        public Optional<Outcome> unfit(Mapped.Unfit unfit) {
            return Optional.of(new Outcome.Rejected(unfit.rejection()));
        }

        @Override
        public Optional<Outcome> broken(Mapped.Broken broken) {
            return Optional.of(new Outcome.ScriptFailed(broken.sentence()));
        }

        @Override
        public Optional<Outcome> busy(Mapped.Busy busy) {
            return Optional.of(new Outcome.Busy(busy.sentence()));
        }
    }

    private Optional<Outcome> accept(
            List<AllowedAction> actions, Mapped.Actions asked, Inbound inbound, @Nullable Advance advance) {
        byte[] sha256 = Sha256.of(inbound.body());
        Acceptance acceptance = intake.accept(
                new Submission(actions, idempotency(asked, inbound, sha256), inbound.body().length, sha256, advance));
        return acceptance instanceof Acceptance.Superseded
                ? Optional.empty()
                : Optional.of(outcome(acceptance, asked, inbound));
    }

    private static Outcome outcome(Acceptance acceptance, Mapped.Actions asked, Inbound inbound) {
        if (acceptance instanceof Acceptance.Accepted accepted) {
            return new Outcome.Accepted(
                    accepted.receipts(),
                    asked.fanOut(),
                    accepted.replayed(),
                    asked.replyToSender() || !inbound.bySignature());
        }
        if (acceptance instanceof Acceptance.Conflict) {
            return new Outcome.IdempotencyConflict();
        }
        if (acceptance instanceof Acceptance.Overloaded overloaded) {
            return new Outcome.Overloaded(overloaded.retryAfter());
        }
        if (acceptance instanceof Acceptance.Uncertain uncertain) {
            return new Outcome.Uncertain(uncertain.retryAfter());
        }
        return new Outcome.Unavailable(((Acceptance.Unavailable) acceptance).retryAfter());
    }

    /**
     * What the request is known again by: the key that it goes by and, where a signature alone let it in, what was signed. That
     * belongs to its path as the signature does: which mapping takes it can depend on headers that nobody signs.
     */
    private static @Nullable IdempotencyKey idempotency(Mapped.Actions asked, Inbound inbound, byte[] bodySha256) {
        Mapped.@Nullable Key key = asked.key();
        Signed signed = inbound.bySignature() ? inbound.signed() : null;
        if (key == null && signed == null) {
            return null;
        }
        String content = HexFormat.of().formatHex(contentSha256(inbound.hook(), bodySha256));
        @Nullable String bytes = signed == null ? null : Sha256.name(inbound.hook() + '\0' + signed.sha256(), 32);
        return key == null
                ? IdempotencyKey.ofSigned(Objects.requireNonNull(bytes), content)
                : new IdempotencyKey(Keys.stored(asked.keySpace(), key.value()), content, key.chosen(), bytes);
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
