package dev.postern.access;

import java.time.Duration;

/**
 * A limit on the size and the arrival time of one request's body.
 *
 * @param maxBytes the maximum size as sent, in bytes
 * @param maxBytesSetting the setting that defines {@code maxBytes}; empty if it is fixed
 * @param timeout the time from the request's headers to the body's last byte
 * @param timeoutSetting the setting that defines {@code timeout}; empty if it is fixed
 * @param isAdmitted whether the sender is authenticated before its body arrives; the bodies of all other senders share
 *     a smaller part of the memory
 */
public record BodyLimit(
        int maxBytes, String maxBytesSetting, Duration timeout, String timeoutSetting, boolean isAdmitted) {}
