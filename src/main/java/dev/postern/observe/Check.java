package dev.postern.observe;

/** What a look at one part of Postern found. */
public sealed interface Check {

    /** The part works. */
    record Up() implements Check {}

    /**
     * The part does not work.
     *
     * @param reason a sentence for the operator, which strangers may see too: no secret, no payload, no stack trace
     */
    record Down(String reason) implements Check {}
}
