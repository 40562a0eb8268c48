package dev.postern.model;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The result of a {@link HookRequest}: exactly one of these. */
public sealed interface HookResult {

    /** The HTTP status of the response. */
    int status();

    /** The word for the result in the request log; for a failure the code of the error body. */
    String code();

    /** The result of a request that leads to an error response. */
    sealed interface Failure extends HookResult {

        /** The code of the error body. */
        ErrorCode error();

        /** The sentence of the error body. */
        String sentence();

        /** The field or header at fault; null if there is none. */
        default @Nullable String field() {
            return null;
        }

        /** The time after which the sender may try again; null if that would not help. */
        default @Nullable Duration retryAfter() {
            return null;
        }

        @Override
        default int status() {
            return error().status();
        }

        @Override
        default String code() {
            return error().wire();
        }
    }

    /**
     * The result of an accepted request: its actions are on disk and will be done whatever happens next.
     *
     * @param receipts one for each action, in order
     * @param fanOut true if the actions stand for the elements of a list of any length
     * @param replayed true if an earlier request with the same idempotency key was accepted and this one did nothing
     * @param tellsReply whether the sender may see the agent's reply
     * @param coalesced the number of requests that have become the action so far; 0 unless the request joined earlier ones
     * @param successStatus the HTTP status that the mapping sets; null for the usual one
     */
    record Accepted(
            List<Receipt> receipts,
            boolean fanOut,
            boolean replayed,
            boolean tellsReply,
            int coalesced,
            @Nullable Integer successStatus)
            implements HookResult {

        public Accepted {
            receipts = List.copyOf(receipts);
        }

        /** The HTTP status of the response: that of the mapping, else 202 if a run or a delivery is queued, else 200. */
        @Override
        public int status() {
            if (successStatus != null) {
                return successStatus;
            }
            return receipts.stream().allMatch(Receipt.Event.class::isInstance) ? 200 : 202;
        }

        @Override
        public String code() {
            return replayed ? "repeated" : "accepted";
        }

        /** Creates a result without a fan-out, whose sender may see the reply. */
        public Accepted(List<Receipt> receipts, boolean replayed) {
            this(receipts, false, replayed, true, 0, null);
        }

        /** The result of a request that joined earlier ones, as one of {@code coalesced} requests so far. */
        public static Accepted joined(Receipt receipt, int coalesced) {
            return new Accepted(List.of(receipt), false, false, true, coalesced, null);
        }

        /** The same result for a repetition of its request. */
        public Accepted again() {
            return new Accepted(receipts, fanOut, true, tellsReply, coalesced, successStatus);
        }

        /** The same result with the status that the mapping sets; null for the usual one. */
        public Accepted with(@Nullable Integer status) {
            return new Accepted(receipts, fanOut, replayed, tellsReply, coalesced, status);
        }
    }

    /**
     * The result of a request that asks for nothing.
     *
     * @param deliveryId the id of the delivery whose mark the event carries; null if none is known
     * @param successStatus the HTTP status that the mapping sets; null for the usual one
     */
    record Nothing(NothingReason reason, @Nullable String deliveryId, @Nullable Integer successStatus)
            implements HookResult {

        /** The result of a request in which a mapping found nothing to do. */
        public Nothing() {
            this(NothingReason.MAPPING, null);
        }

        /** A result with the usual status. */
        public Nothing(NothingReason reason, @Nullable String deliveryId) {
            this(reason, deliveryId, null);
        }

        /** The HTTP status of the response: that of the mapping, else 204. */
        @Override
        public int status() {
            return successStatus == null ? 204 : successStatus;
        }

        @Override
        public String code() {
            return reason.wire();
        }
    }

    /**
     * The result of a sender's test whether the hook responds; it has no other effect.
     *
     * @param field the field of the response that returns the sender's text
     * @param challenge the sender's own text
     */
    record Handshake(String field, String challenge) implements HookResult {

        @Override
        public int status() {
            return 200;
        }

        @Override
        public String code() {
            return "handshake";
        }
    }

    /** The result of a request to a hook that does not exist. */
    record NoSuchHook() implements Failure {

        /** The sentence of a 404 response, which does not reveal whether a hook exists. */
        public static final String SENTENCE = "No hook answers to this path.";

        @Override
        public ErrorCode error() {
            return ErrorCode.NOT_FOUND;
        }

        @Override
        public String sentence() {
            return SENTENCE;
        }
    }

    /** The result of a request that the sender has to change. */
    record Rejected(Rejection rejection) implements Failure {

        @Override
        public ErrorCode error() {
            return rejection.code();
        }

        @Override
        public String sentence() {
            return rejection.sentence();
        }

        @Override
        public @Nullable String field() {
            return rejection.field();
        }
    }

    /**
     * The result when the mapping's script failed. The sender can't fix that; nothing happened.
     *
     * @param sentence the mapping and the place in its script; nothing of the payload
     * @param detail the script's own message, for the operator only
     */
    record ScriptFailed(String sentence, String detail) implements Failure {

        @Override
        public ErrorCode error() {
            return ErrorCode.SCRIPT_FAILED;
        }
    }

    /**
     * The result when Postern can't run the mapping's script at the moment. Nothing happened, and the sender may try again.
     *
     * @param sentence the mapping and the reason
     * @param retryAfter in whole seconds
     */
    record Busy(String sentence, Duration retryAfter) implements Failure {

        @Override
        public ErrorCode error() {
            return ErrorCode.OVERLOADED;
        }
    }

    /**
     * The result when the idempotency key belongs to other content. Nothing was written, except a source cursor that moves.
     */
    record IdempotencyConflict() implements Failure {

        @Override
        public ErrorCode error() {
            return ErrorCode.IDEMPOTENCY_CONFLICT;
        }

        @Override
        public String sentence() {
            return "This idempotency key was used before, with other content.";
        }
    }

    /**
     * The result when the source cursor of the request is read by another node, or is at another position. Nothing was
     * written.
     */
    record Superseded() implements Failure {

        @Override
        public ErrorCode error() {
            return ErrorCode.UNAVAILABLE;
        }

        @Override
        public String sentence() {
            return "Another node reads the source of this request. Nothing was accepted.";
        }
    }

    /**
     * The result when too many accepted actions are pending. Nothing was written.
     *
     * @param setting the full name of the setting that bounds them
     */
    record Overloaded(Duration retryAfter, String setting) implements Failure {

        @Override
        public ErrorCode error() {
            return ErrorCode.OVERLOADED;
        }

        @Override
        public String sentence() {
            return "Too many accepted actions are waiting already (" + setting + "). Nothing was accepted.";
        }
    }

    /**
     * The result when a budget that rejects requests has no room for the turn. Nothing was written.
     *
     * @param budget the id of the budget
     * @param retryAfter the time after which it has room if nothing else is used meanwhile, in whole seconds
     */
    record BudgetSpent(String budget, Duration retryAfter) implements Failure {

        @Override
        public ErrorCode error() {
            return ErrorCode.BUDGET_SPENT;
        }

        @Override
        public String sentence() {
            return "The budget " + budget + " is spent. Nothing was accepted.";
        }
    }

    /** The result when the database could not store the request; the store has logged the reason. Nothing was written. */
    record Unavailable(Duration retryAfter) implements Failure {

        @Override
        public ErrorCode error() {
            return ErrorCode.UNAVAILABLE;
        }

        @Override
        public String sentence() {
            return "The database can't take this right now. Nothing was accepted.";
        }
    }

    /** The result when the database did not confirm the write. A repeat under the same idempotency key is accepted once. */
    record Uncertain(Duration retryAfter) implements Failure {

        @Override
        public ErrorCode error() {
            return ErrorCode.UNAVAILABLE;
        }

        @Override
        public String sentence() {
            return "The database broke off before it said whether it took this. It may have been accepted; repeat it"
                    + " under the same Idempotency-Key to be sure. Without one it may be done twice.";
        }
    }
}
