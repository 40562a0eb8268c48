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
     * @param idempotencyKey the key that the payload itself names, as given; null where it names none
     */
    record Actions(List<HookAction> actions, @Nullable String idempotencyKey) implements Mapped {

        public Actions {
            actions = List.copyOf(actions);
        }
    }

    /** Nothing answers to this hook's name. */
    record NoSuchHook() implements Mapped {}

    /** The payload is not what the hook takes. */
    record Unfit(Rejection rejection) implements Mapped {}
}
