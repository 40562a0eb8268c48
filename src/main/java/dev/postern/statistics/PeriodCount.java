package dev.postern.statistics;

/**
 * A count of one period.
 *
 * @param start the start of the period in milliseconds since 1970
 * @param latest the time of the last that was counted, likewise
 * @param durations the durations of the responses; empty for runs
 */
record PeriodCount(long start, CountKey key, long number, long latest, DurationHistogram durations) {}
