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
 * @param takesGzip whether the body may be compressed; {@code maxBytes} is the maximum of its content, too
 */
public record BodyLimit(
        int maxBytes,
        String maxBytesSetting,
        Duration timeout,
        String timeoutSetting,
        boolean isAdmitted,
        boolean takesGzip) {

    /** The limit of a body that may not be compressed. */
    public BodyLimit(
            int maxBytes, String maxBytesSetting, Duration timeout, String timeoutSetting, boolean isAdmitted) {
        this(maxBytes, maxBytesSetting, timeout, timeoutSetting, isAdmitted, false);
    }
}
