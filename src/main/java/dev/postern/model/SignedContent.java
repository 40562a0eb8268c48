package dev.postern.model;

import java.security.MessageDigest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The content that a sender has signed, in a request with a valid signature.
 *
 * @param sha256 the hash, in hex, of the bytes that the signature covers: the body, preceded by the time if that is signed
 *     too
 * @param deliveryId the sender's own id of the delivery if the signature covers one; else null
 */
public record SignedContent(String sha256, @Nullable String deliveryId) {

    /** The content of a signature over {@code lead} and the body. */
    public static SignedContent of(byte[] lead, byte[] body, @Nullable String deliveryId) {
        MessageDigest digest = Sha256.digest();
        digest.update(lead);
        return new SignedContent(HexFormat.of().formatHex(digest.digest(body)), deliveryId);
    }

    /** The content of a signature, or a secret, that covers the body alone. */
    public static SignedContent of(byte[] body) {
        return of(new byte[0], body, null);
    }
}
