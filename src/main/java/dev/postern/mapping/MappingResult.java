package dev.postern.mapping;

import dev.postern.model.HookAction;
import dev.postern.model.HookResult;
import dev.postern.model.Rejection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A result of mapping a payload: the actions that it asks for, or what becomes of a request that asks for none. */
public sealed interface MappingResult {

    /** One that asks for no action. */
    static MappingResult of(HookResult result) {
        return new Final(result);
    }

    /** One that is not what its hook takes. */
    static MappingResult rejected(Rejection rejection) {
        return of(new HookResult.Rejected(rejection));
    }

    /**
     * It asks for no action.
     *
     * @param result what becomes of the request
     */
    record Final(HookResult result) implements MappingResult {}

    /**
     * It asks for these, all or none.
     *
     * @param actions one or more
     * @param fanOut true where they stand for the elements of a list, however many there are
     * @param keySpace whose idempotency keys this one's is told apart by: the id of the mapping that took the payload, so
     *     that no sender uses up another's; empty for {@code wake} and {@code agent}, which share theirs
     * @param key the idempotency key that the payload itself or the mapping names; null where there is none
     * @param replyToSender whether a sender that only its signature has let in may be told the agent's reply
     */
    record Actions(List<HookAction> actions, boolean fanOut, String keySpace, @Nullable Key key, boolean replyToSender)
            implements MappingResult {

        public Actions {
            actions = List.copyOf(actions);
        }

        /** The idempotency key's text, as given; null where there is none. */
        public @Nullable String idempotencyKey() {
            return key == null ? null : key.value();
        }
    }

    /**
     * An idempotency key.
     *
     * @param value as given
     * @param chosen true where a client chose it for this very request; false where it is the sender's id of a delivery or an
     *     event, whose content may differ from one attempt to the next
     */
    record Key(String value, boolean chosen) {}
}
