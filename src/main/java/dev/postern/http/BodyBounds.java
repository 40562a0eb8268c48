package dev.postern.http;

import java.time.Duration;

/**
 * How much of a body is taken, and for how long it is waited for.
 *
 * @param timeout from the request's headers to its body's last byte
 */
public record BodyBounds(int maxBytes, Duration timeout) {}
