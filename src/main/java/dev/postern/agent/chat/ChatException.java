package dev.postern.agent.chat;

import dev.postern.agent.TurnResult;
import org.jspecify.annotations.Nullable;

/** Carries how a turn ended without a reply out through LangChain4j, which may wrap it. */
final class ChatException extends RuntimeException {

    private final TurnResult outcome;
    private final boolean ofOneWayToAsk;

    /** The turn ends with {@code outcome}. */
    ChatException(TurnResult outcome) {
        this(outcome, false);
    }

    /**
     * @param ofOneWayToAsk whether the request was refused for the way in which it asks for thinking, or for the tokens
     *     that go with it, so that another way may be taken
     */
    ChatException(TurnResult outcome, boolean ofOneWayToAsk) {
        super(null, null, false, false);
        this.outcome = outcome;
        this.ofOneWayToAsk = ofOneWayToAsk;
    }

    /** The one that {@code fault} is or comes from; null where there is none. */
    static @Nullable ChatException in(Throwable fault) {
        for (Throwable cause = fault; cause != null; cause = cause.getCause()) {
            if (cause instanceof ChatException failure) {
                return failure;
            }
        }
        return null;
    }

    TurnResult outcome() {
        return outcome;
    }

    boolean isOfOneWayToAsk() {
        return ofOneWayToAsk;
    }
}
