package dev.postern.model;

import java.time.Duration;

/**
 * A mapping's rule for requests that become one run or event together.
 *
 * @param window the time without a further request after which a group closes
 * @param maxWait the longest time from the first request of a group to its close
 * @param latestOnly whether only the last request's text is kept
 * @param maxItems the number of requests that closes a group at once
 */
public record CoalescingRule(Duration window, Duration maxWait, boolean latestOnly, int maxItems) {}
