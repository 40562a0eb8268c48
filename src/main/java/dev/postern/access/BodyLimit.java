package dev.postern.access;

import java.time.Duration;

/**
 * A bound on the body of one request.
 *
 * @param maxBytes of the body, as it is sent
 * @param maxBytesSetting the setting that {@code maxBytes} is; empty where it is fixed
 * @param timeout from the request's header to the body's last byte
 * @param timeoutSetting the setting that {@code timeout} is; empty where it is fixed
 * @param isAdmitted whether the sender is known before its body is here; strangers share a smaller part of the memory
 */
public record BodyLimit(
        int maxBytes, String maxBytesSetting, Duration timeout, String timeoutSetting, boolean isAdmitted) {}
