package dev.postern.console;

import java.util.ArrayList;
import java.util.List;

/** The ticks of a chart's axis: whole numbers from 0, at equal distances of 1, 2 or 5 times a power of ten. */
final class AxisTicks {

    private static final int MOST_STEPS = 4;
    private static final int BASE = 10;
    private static final long[] STEPS = {1, 2, 5};

    private AxisTicks() {}

    /** Two to five ticks, the last of which is {@code most} or more. */
    static List<Long> upTo(long most) {
        long step = step(Math.max(1, most));
        List<Long> ticks = new ArrayList<>();
        for (long tick = 0; tick - step < most || ticks.size() < 2; tick += step) {
            ticks.add(tick);
        }
        return ticks;
    }

    private static long step(long most) {
        for (long power = 1; ; power *= BASE) {
            for (long step : STEPS) {
                if (step * power * MOST_STEPS >= most) {
                    return step * power;
                }
            }
        }
    }
}
