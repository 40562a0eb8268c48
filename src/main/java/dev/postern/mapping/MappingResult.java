package dev.postern.mapping;

import dev.postern.model.CoalescingRule;
import dev.postern.model.ErrorCode;
import dev.postern.model.HookAction;
import dev.postern.model.HookResult;
import dev.postern.model.Rejection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A result of mapping a payload: the actions that it asks for, or the final result of a request without actions. */
public sealed interface MappingResult {

    /** Wraps a final result, without actions. */
    static MappingResult of(HookResult result) {
        return new Final(result);
    }

    /** Wraps the rejection of a payload that the hook does not accept. */
    static MappingResult rejected(Rejection rejection) {
        return of(new HookResult.Rejected(rejection));
    }

    /**
     * A rejection of a payload for which a mapping has no action.
     *
     * @param field the payload's field that is wrong; null for none
     */
    static MappingResult failed(@Nullable String field, String sentence) {
        return rejected(new Rejection(ErrorCode.MAPPING_FAILED, field, sentence));
    }

    /**
     * A result without actions.
     *
     * @param result the final result of the request
     */
    record Final(HookResult result) implements MappingResult {}

    /**
     * A result with actions, which are accepted together or not at all.
     *
     * @param actions one or more
     * @param fanOut true if the actions stand for the elements of a list, whatever its length
     * @param keySpace the space of the idempotency key: the id of the mapping that matched, so that no sender uses up
     *     another's keys; empty for {@code wake} and {@code agent}, which share one
     * @param key the idempotency key that the payload or the mapping names; null if there is none
     * @param replyToSender whether a sender that only its signature authenticates may see the agent's reply
     * @param group the group of requests that become the only action together; null for none
     * @param successStatus the HTTP status that the mapping sets; null for the usual one
     */
    record Actions(
            List<HookAction> actions,
            boolean fanOut,
            String keySpace,
            @Nullable Key key,
            boolean replyToSender,
            @Nullable Group group,
            @Nullable Integer successStatus)
            implements MappingResult {

        /** A result whose request is part of no group, with the usual status. */
        public Actions(
                List<HookAction> actions, boolean fanOut, String keySpace, @Nullable Key key, boolean replyToSender) {
            this(actions, fanOut, keySpace, key, replyToSender, null, null);
        }

        /** The same result with another idempotency key. */
        public Actions with(@Nullable Key other) {
            return new Actions(actions, fanOut, keySpace, other, replyToSender, group, successStatus);
        }

        public Actions {
            actions = List.copyOf(actions);
        }

        /** The text of the idempotency key, as given; null if there is none. */
        public @Nullable String idempotencyKey() {
            return key == null ? null : key.value();
        }
    }

    /**
     * The group of a request.
     *
     * @param key what the mapping's requests of one group have in common
     */
    record Group(String key, CoalescingRule rule) {}

    /**
     * An idempotency key.
     *
     * @param value as given
     * @param chosen true if a client chose it for this request; false if it is the sender's id of a delivery or an event,
     *     whose content may differ between attempts
     */
    record Key(String value, boolean chosen) {}
}
