package dev.postern.acceptance;

import dev.postern.model.AllowedAction;
import dev.postern.model.RunId;
import dev.postern.model.TraceContext;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The actions of one request, to be accepted all together or not at all.
 *
 * @param actions one or more
 * @param idempotency the idempotency key; null when the sender gives none
 * @param bodyBytes the size of the raw body in bytes
 * @param bodySha256 the raw body's SHA-256 in hex, for the operator
 * @param cursorUpdate the cursor update that is committed together with the actions, where Postern itself read the source;
 *     else null
 * @param source the request that the actions come from; null where there is none
 * @param sender the id of the sender whose own token admitted that request, or the run that is accepted once more; else null
 * @param coalescing the group that the only action is to be part of; null for none
 * @param repetition the run whose items the only action has; null for none
 * @param trace the trace context that what is accepted continues; null for none
 */
public record Submission(
        List<AllowedAction> actions,
        @Nullable IdempotencyKey idempotency,
        int bodyBytes,
        String bodySha256,
        @Nullable CursorUpdate cursorUpdate,
        @Nullable SubmissionSource source,
        @Nullable String sender,
        @Nullable CoalescingRequest coalescing,
        @Nullable Repetition repetition,
        @Nullable TraceContext trace) {

    public Submission {
        actions = List.copyOf(actions);
        if (actions.isEmpty()) {
            throw new IllegalArgumentException("a submission holds at least one action");
        }
        if (actions.size() > 1 && (coalescing != null || repetition != null)) {
            throw new IllegalArgumentException("an action with items is alone in its submission");
        }
    }

    /**
     * A run of several requests that is accepted once more.
     *
     * @param items the number of these requests
     */
    record Repetition(RunId run, int items) {}

    /** The same submission, to be part of a group. */
    public Submission within(CoalescingRequest group) {
        return with(group, trace);
    }

    /** The same submission, to continue a trace; null for none. */
    public Submission in(@Nullable TraceContext context) {
        return Objects.equals(context, trace) ? this : with(coalescing, context);
    }

    private Submission with(@Nullable CoalescingRequest group, @Nullable TraceContext context) {
        return new Submission(
                actions,
                idempotency,
                bodyBytes,
                bodySha256,
                cursorUpdate,
                source,
                sender,
                /* coalescing= */ group,
                repetition,
                /* trace= */ context);
    }

    /** The id of the request that the actions come from; null where there is none. */
    @Nullable
    String requestId() {
        return source == null ? null : source.origin().requestId();
    }

    /** The id of the mapping that took the request; null where there is none, or no request. */
    @Nullable
    String mapping() {
        return source == null || source.mapping().isEmpty() ? null : source.mapping();
    }

    /** A submission that is part of no group and repeats no run. */
    public Submission(
            List<AllowedAction> actions,
            @Nullable IdempotencyKey idempotency,
            int bodyBytes,
            String bodySha256,
            @Nullable CursorUpdate cursorUpdate,
            @Nullable SubmissionSource source,
            @Nullable String sender) {
        this(actions, idempotency, bodyBytes, bodySha256, cursorUpdate, source, sender, null, null, null);
    }

    /** A submission of the sender of its source. */
    public Submission(
            List<AllowedAction> actions,
            @Nullable IdempotencyKey idempotency,
            int bodyBytes,
            String bodySha256,
            @Nullable CursorUpdate cursorUpdate,
            @Nullable SubmissionSource source) {
        this(
                actions,
                idempotency,
                bodyBytes,
                bodySha256,
                cursorUpdate,
                source,
                source == null ? null : source.origin().sender());
    }

    /** A submission with the hash as raw bytes. */
    public Submission(
            List<AllowedAction> actions,
            @Nullable IdempotencyKey idempotency,
            int bodyBytes,
            byte[] bodySha256,
            @Nullable CursorUpdate cursorUpdate,
            @Nullable SubmissionSource source) {
        this(actions, idempotency, bodyBytes, HexFormat.of().formatHex(bodySha256), cursorUpdate, source);
    }
}
