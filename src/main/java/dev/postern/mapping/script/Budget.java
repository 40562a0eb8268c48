package dev.postern.mapping.script;

import java.time.Duration;

/**
 * What one call of a script may use.
 *
 * @param cpu of the thread's own time
 * @param wall of everybody's time
 * @param bytes that are allocated, whether or not they are let go again
 */
public record Budget(Duration cpu, Duration wall, long bytes) {

    private static final long MEBIBYTE = 1024 * 1024;

    /** A request's. */
    public static final Budget RUN = new Budget(Duration.ofMillis(250), Duration.ofMillis(1500), 64 * MEBIBYTE);

    /** One file's, for the TypeScript compiler. */
    static final Budget TRANSLATION = new Budget(Duration.ofSeconds(10), Duration.ofSeconds(40), 2048 * MEBIBYTE);

    /** At start: nothing is compiled by the virtual machine yet, and nobody waits. */
    public static final Budget PREPARATION = new Budget(Duration.ofSeconds(2), Duration.ofSeconds(8), 64 * MEBIBYTE);
}
