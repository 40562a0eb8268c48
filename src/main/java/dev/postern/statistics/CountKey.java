package dev.postern.statistics;

/**
 * A key of what is counted in a period.
 *
 * @param hook the path of a configured hook; empty for any other, and for runs
 * @param mapping the id of the mapping that took the requests; empty if none did, and for runs
 */
record CountKey(CountKind kind, String hook, String mapping) {}
