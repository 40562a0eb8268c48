package dev.postern.acceptance;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An item of a run or event that several requests became: the text of one of them.
 *
 * @param number its place among them, from 1
 * @param text the untrusted content
 * @param requestId the request that it came from; null if that is not known
 */
public record RequestItem(int number, String text, @Nullable String requestId, Instant receivedAt) {}
