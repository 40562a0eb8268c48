package dev.postern.agent;

/** How a turn ended: exactly one of these. */
public sealed interface TurnResult {

    /**
     * The agent answered.
     *
     * @param text what it said, without white space at its ends and without NUL; may be empty
     */
    record Replied(String text) implements TurnResult {}

    /**
     * There will be no answer, and trying again would not help.
     *
     * @param sentence why, and what to configure where that is the reason; neither payload nor secret
     */
    record Failed(String sentence) implements TurnResult {}

    /** The turn's time was used up; what it had started is ended. */
    record TimedOut() implements TurnResult {}

    /**
     * No backend was called, through no fault of the turn's; it is taken again as if nothing had been.
     *
     * @param reason what was in the way, such as {@code a shutdown}
     */
    record NotBegun(String reason) implements TurnResult {}

    /**
     * Somebody wanted the turn to end; it is not taken again.
     *
     * @param sentence who, and neither payload nor secret
     */
    record Cancelled(String sentence) implements TurnResult {}

    /**
     * The turn was broken off by what is not its fault; it may be taken again.
     *
     * @param reason what broke it off, such as {@code a shutdown}
     */
    record Interrupted(String reason) implements TurnResult {}
}
