package dev.postern.mapping.script;

import org.jspecify.annotations.Nullable;

/** A thread whose loops can be counted: {@link ScriptMeter} keeps its counter here, where reading it is cheapest. */
final class MeteredThread extends Thread {

    /** Steps left until the meter wants to look; the most there can be while nothing is metered. */
    int fuel = Integer.MAX_VALUE;

    /** Units of the stack that are in use. */
    int depth;

    /** What the last descent came to; kept so that no compiler leaves it out. */
    long sum;

    @Nullable
    ScriptMeter meter;

    MeteredThread(Runnable body, String name, long stackBytes, ClassLoader loader) {
        super(null, body, name, stackBytes, false);
        setDaemon(true);
        setContextClassLoader(loader);
    }

    /** The counter has run out. */
    void look() {
        ScriptMeter running = meter;
        fuel = Integer.MAX_VALUE;
        if (running != null) {
            fuel = 0;
            running.check();
            fuel = ScriptMeter.STEPS;
        }
    }
}
