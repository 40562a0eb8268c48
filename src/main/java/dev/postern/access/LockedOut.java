package dev.postern.access;

import java.time.Duration;

/**
 * A client that is locked out.
 *
 * @param address as it is counted, in the form that {@link ClientFailures#unlock} takes: an IPv4 address, the /64 of an IPv6 address, or
 *     {@code unknown} for all whose address can't be read
 * @param left how long it is locked out for yet
 */
public record LockedOut(String address, Duration left) {}
