package dev.postern.mapping;

import dev.postern.model.HookAction;
import dev.postern.model.Rejection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a payload asks for. */
public sealed interface Mapped {

    /** What {@code cases} makes of this one. */
    <T> T match(Cases<T> cases);

    /** One answer for each case, so that none is forgotten where a case is added. */
    interface Cases<T> {

        T actions(Actions actions);

        T nothing();

        T handshake(Handshake handshake);

        T noSuchHook();

        T unfit(Unfit unfit);

        T broken(Broken broken);

        T busy(Busy busy);
    }

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
            implements Mapped {

        public Actions {
            actions = List.copyOf(actions);
        }

        /** The idempotency key's text, as given; null where there is none. */
        public @Nullable String idempotencyKey() {
            return key == null ? null : key.value();
        }

        @Override
        public <T> T match(Cases<T> cases) {
            return cases.actions(this);
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

    /** A mapping took it, and there is nothing to do. */
    record Nothing() implements Mapped {

        @Override
        public <T> T match(Cases<T> cases) {
            return cases.nothing();
        }
    }

    /**
     * The sender asks whether somebody is here, and wants its own word back.
     *
     * @param challenge that word
     */
    record Handshake(String challenge) implements Mapped {

        @Override
        public <T> T match(Cases<T> cases) {
            return cases.handshake(this);
        }
    }

    /** Nothing answers to this hook's name. */
    record NoSuchHook() implements Mapped {

        @Override
        public <T> T match(Cases<T> cases) {
            return cases.noSuchHook();
        }
    }

    /** The payload is not what the hook takes. */
    record Unfit(Rejection rejection) implements Mapped {

        @Override
        public <T> T match(Cases<T> cases) {
            return cases.unfit(this);
        }
    }

    /**
     * The mapping's script failed, which the sender can't mend.
     *
     * @param sentence which mapping, and where in its script; nothing of the payload
     * @param detail what the script said itself, for the operator's eyes alone
     */
    record Broken(String sentence, String detail) implements Mapped {

        @Override
        public <T> T match(Cases<T> cases) {
            return cases.broken(this);
        }
    }

    /**
     * Too much is going on for the mapping's script to be run; the sender may try again.
     *
     * @param sentence which mapping, and why not
     */
    record Busy(String sentence) implements Mapped {

        @Override
        public <T> T match(Cases<T> cases) {
            return cases.busy(this);
        }
    }
}
