package dev.postern.acceptance;

import dev.postern.model.RunId;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A name that identifies one request, so that a repetition is detected and its actions are accepted only once.
 *
 * @param value 1 to 255 characters
 * @param contentSha256 the hash of the request's content, in hex
 * @param bindsContent true where the name stands for that content alone, and other content under it is a conflict;
 *     false where it is the sender's id of a delivery or an event, whose content may differ between attempts
 * @param signedSha256 the hash of the signed bytes, in hex, for a request that was authenticated by its signature
 *     alone: the same bytes are the same request under any name; null for any other request
 */
public record IdempotencyKey(String value, String contentSha256, boolean bindsContent, @Nullable String signedSha256) {

    /** The longest key, in characters. */
    public static final int MAX_LENGTH = 255;

    /** The prefix of the names of signed bytes. A key from a sender holds no control character. */
    private static final String SIGNED = "\u001fsigned\u001f";

    /** The prefix of the names of reruns. */
    private static final String RERUN = "\u001frerun\u001f";

    public IdempotencyKey {
        if (value.isEmpty() || value.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("an idempotency key has 1 to 255 characters");
        }
    }

    /** A key that stands for its content, with the hash as raw bytes. */
    public IdempotencyKey(String value, byte[] contentSha256) {
        this(value, HexFormat.of().formatHex(contentSha256), true, null);
    }

    /** The key of the operator's {@code attempt} to have {@code run} run again. */
    static IdempotencyKey ofRerun(RunId run, String attempt, String contentSha256) {
        return new IdempotencyKey(RERUN + run.value() + ":" + attempt, contentSha256, false, null);
    }

    /** The key of a request that has no other name than its signed bytes. */
    public static IdempotencyKey ofSigned(String signedSha256, String contentSha256) {
        return new IdempotencyKey(SIGNED + signedSha256, contentSha256, false, signedSha256);
    }
}
