package dev.postern.acceptance;

import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A name by which one request is known again, so that sending it twice does it once.
 *
 * @param value 1 to 255 characters
 * @param contentSha256 in hex, the hash of the request's content
 * @param bindsContent true where the name stands for that content alone, and other content under it is a conflict; false
 *     where it is the sender's id of a delivery or an event, whose content may differ from one attempt to the next
 * @param signedSha256 in hex, the hash of what was signed, of a request that its signature alone let in: the same bytes are
 *     the same request, whatever it is called; null of any other
 */
public record IdempotencyKey(String value, String contentSha256, boolean bindsContent, @Nullable String signedSha256) {

    /** The longest key, in characters. */
    public static final int MAX_LENGTH = 255;

    /** Begins what signed bytes are called; a key that a sender gives holds no control character. */
    private static final String SIGNED = "\u001fsigned\u001f";

    public IdempotencyKey {
        if (value.isEmpty() || value.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("an idempotency key has 1 to 255 characters");
        }
    }

    /** A key that stands for its content, with the hash as it was computed. */
    public IdempotencyKey(String value, byte[] contentSha256) {
        this(value, HexFormat.of().formatHex(contentSha256), true, null);
    }

    /** The key of a request that has no other name than what was signed. */
    public static IdempotencyKey ofSigned(String signedSha256, String contentSha256) {
        return new IdempotencyKey(SIGNED + signedSha256, contentSha256, false, signedSha256);
    }
}
