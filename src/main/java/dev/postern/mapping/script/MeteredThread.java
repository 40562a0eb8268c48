package dev.postern.mapping.script;

import org.jspecify.annotations.Nullable;

/** A thread whose loops can be counted. {@link ScriptMeter} keeps its counter here, where reading it is cheapest. */
final class MeteredThread extends Thread {

    /** The steps left until the meter checks the budget; the maximum while nothing is metered. */
    int fuel = Integer.MAX_VALUE;

    /** The units of the stack that are in use, 512 bytes each. */
    int depth;

    /** The result of the last descent, kept so that no compiler leaves it out. */
    long sum;

    @Nullable
    ScriptMeter meter;

    MeteredThread(Runnable body, String name, long stackBytes, ClassLoader loader) {
        super(null, body, name, stackBytes, false);
        setDaemon(true);
        setContextClassLoader(loader);
    }

    /** Checks the budget after the counter has run out. */
    void check() {
        ScriptMeter running = meter;
        fuel = Integer.MAX_VALUE;
        if (running != null) {
            fuel = 0;
            running.check();
            fuel = running.stride();
        }
    }
}
