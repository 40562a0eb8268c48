package dev.postern.mapping.script;

import java.time.Duration;

/**
 * A budget of one script call.
 *
 * @param cpu the thread's own CPU time
 * @param wall the time on the wall clock
 * @param bytes allocated, whether or not they are released again
 * @param stride the steps between two checks of what was used. They are few for scripts, of which one step may append a
 *     megabyte.
 */
public record ScriptBudget(Duration cpu, Duration wall, long bytes, int stride) {

    private static final int SCRIPT_STRIDE = 64;

    /** Steps of our own code take little each, and a check takes as long as some hundred of them. */
    private static final int TRANSLATION_STRIDE = 8192;

    private static final long MEBIBYTE = 1024 * 1024;

    /** The budget of a call for a request. */
    static final ScriptBudget RUN =
            new ScriptBudget(Duration.ofMillis(250), Duration.ofMillis(1500), 64 * MEBIBYTE, SCRIPT_STRIDE);

    /**
     * The budget of our own code: the TypeScript compiler, for one file, and the rehearsal. A line of a file takes some 20 ms
     * and allocates 2 MiB, nearly all for a moment. So this is enough for some thousand lines on a slow machine.
     */
    public static final ScriptBudget TRANSLATION = new ScriptBudget(
            Duration.ofSeconds(60),
            Duration.ofMinutes(5),
            64 * Runtime.getRuntime().maxMemory(),
            TRANSLATION_STRIDE);

    /** The budget at start, when the JVM has not compiled anything yet, and nobody waits. */
    static final ScriptBudget PREPARATION =
            new ScriptBudget(Duration.ofSeconds(2), Duration.ofSeconds(8), 64 * MEBIBYTE, SCRIPT_STRIDE);
}
