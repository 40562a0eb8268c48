package dev.postern.mapping.script;

import java.time.Duration;

/**
 * What one call of a script may use.
 *
 * @param cpu of the thread's own time
 * @param wall of everybody's time
 * @param bytes that are allocated, whether or not they are let go again
 */
public record ScriptBudget(Duration cpu, Duration wall, long bytes) {

    private static final long MEBIBYTE = 1024 * 1024;

    /** A request's. */
    static final ScriptBudget RUN = new ScriptBudget(Duration.ofMillis(250), Duration.ofMillis(1500), 64 * MEBIBYTE);

    /**
     * For what is ours: the TypeScript compiler, for one file, and the rehearsal. Most of what the compiler allocates it lets
     * go at once.
     */
    public static final ScriptBudget TRANSLATION = new ScriptBudget(
            Duration.ofSeconds(10),
            Duration.ofMinutes(5),
            8 * Runtime.getRuntime().maxMemory());

    /** At start: nothing is compiled by the virtual machine yet, and nobody waits. */
    static final ScriptBudget PREPARATION =
            new ScriptBudget(Duration.ofSeconds(2), Duration.ofSeconds(8), 64 * MEBIBYTE);
}
