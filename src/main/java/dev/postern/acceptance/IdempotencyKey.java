package dev.postern.acceptance;

import java.util.HexFormat;

/**
 * A sender's own name for one request, so that sending it twice does it once.
 *
 * @param value 1 to 255 characters
 * @param contentSha256 in hex, what a request must have in common with the first one of this name to be a repeat of it
 */
public record IdempotencyKey(String value, String contentSha256) {

    /** The longest key, in characters. */
    public static final int MAX_LENGTH = 255;

    public IdempotencyKey {
        if (value.isEmpty() || value.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("an idempotency key has 1 to 255 characters");
        }
    }

    /** The same with the hash as it was computed. */
    public IdempotencyKey(String value, byte[] contentSha256) {
        this(value, HexFormat.of().formatHex(contentSha256));
    }
}
