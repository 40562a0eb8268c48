package dev.postern.mapping;

import dev.postern.model.HookAction;
import dev.postern.model.Rejection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a payload asks for. */
public sealed interface Mapped {

    /**
     * It asks for these, all or none.
     *
     * @param actions one or more
     * @param fanOut true where they stand for the elements of a list, however many there are
     * @param keySpace whose idempotency keys this one's is told apart by: the id of the mapping that took the payload, so
     *     that no sender uses up another's; empty for {@code wake} and {@code agent}, which share theirs
     * @param idempotencyKey the key that the payload itself or the mapping names, as given; null where there is none
     */
    record Actions(List<HookAction> actions, boolean fanOut, String keySpace, @Nullable String idempotencyKey)
            implements Mapped {

        public Actions {
            actions = List.copyOf(actions);
        }
    }

    /** A mapping took it, and there is nothing to do. */
    record Nothing() implements Mapped {}

    /**
     * The sender asks whether somebody is here, and wants its own word back.
     *
     * @param challenge that word
     */
    record Handshake(String challenge) implements Mapped {}

    /** Nothing answers to this hook's name. */
    record NoSuchHook() implements Mapped {}

    /** The payload is not what the hook takes. */
    record Unfit(Rejection rejection) implements Mapped {}

    /**
     * The mapping's script failed, which the sender can't mend.
     *
     * @param sentence which mapping, and where in its script; nothing of the payload
     * @param detail what the script said itself, for the operator's eyes alone
     */
    record Broken(String sentence, String detail) implements Mapped {}

    /**
     * Too much is going on for the mapping's script to be run; the sender may try again.
     *
     * @param sentence which mapping, and why not
     */
    record Busy(String sentence) implements Mapped {}
}
