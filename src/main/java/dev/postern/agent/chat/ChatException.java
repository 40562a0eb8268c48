package dev.postern.agent.chat;

import dev.postern.agent.TurnResult;
import org.jspecify.annotations.Nullable;

/** An exception that carries the result of a turn without a reply through LangChain4j, which may wrap it. */
final class ChatException extends RuntimeException {

    private final TurnResult outcome;
    private final boolean allowsOtherVariant;

    /** Creates an exception that ends the turn with {@code outcome}. */
    ChatException(TurnResult outcome) {
        this(outcome, false);
    }

    /**
     * Creates an exception that ends the turn, or makes it try another variant.
     *
     * @param ofOneWayToAsk whether the provider refused the way in which the request asks for thinking, or the number of
     *     tokens that goes with it, so that another variant may be tried
     */
    ChatException(TurnResult outcome, boolean ofOneWayToAsk) {
        super(null, null, false, false);
        this.outcome = outcome;
        this.allowsOtherVariant = ofOneWayToAsk;
    }

    /** The chat exception that {@code fault} is or has as a cause; null if there is none. */
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

    boolean allowsOtherVariant() {
        return allowsOtherVariant;
    }
}
