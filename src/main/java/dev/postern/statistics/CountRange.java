package dev.postern.statistics;

import java.time.Duration;

/** A range of time up to now that a page shows in periods of equal length. */
public enum CountRange {
    QUARTER_HOUR("15m", CountPeriod.MINUTE, 15),
    HOUR("1h", CountPeriod.MINUTE, 60),
    DAY("24h", CountPeriod.QUARTER, 96),
    WEEK("7d", CountPeriod.TWO_HOURS, 84);

    private final String wire;
    private final CountPeriod period;
    private final int periods;

    CountRange(String wire, CountPeriod period, int periods) {
        this.wire = wire;
        this.period = period;
        this.periods = periods;
    }

    /** The value as query parameters spell it. */
    public String wire() {
        return wire;
    }

    /** The length of a period. */
    public Duration step() {
        return period.step();
    }

    CountPeriod period() {
        return period;
    }

    /** The number of periods, the current one included. */
    public int periods() {
        return periods;
    }
}
