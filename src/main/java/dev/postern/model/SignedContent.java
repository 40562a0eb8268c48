package dev.postern.model;

import java.security.MessageDigest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * What a sender has signed, of a request whose signature is right.
 *
 * @param sha256 in hex, the hash of the bytes that the signature covers: the body, and before it the time where that is
 *     signed too
 * @param deliveryId the sender's own id of the delivery, where the signature covers one; else null
 */
public record SignedContent(String sha256, @Nullable String deliveryId) {

    /** Of a signature that stands for {@code lead} and the body. */
    public static SignedContent of(byte[] lead, byte[] body, @Nullable String deliveryId) {
        MessageDigest digest = Sha256.digest();
        digest.update(lead);
        return new SignedContent(HexFormat.of().formatHex(digest.digest(body)), deliveryId);
    }

    /** Of a signature, or a secret, that stands for the body alone. */
    public static SignedContent of(byte[] body) {
        return of(new byte[0], body, null);
    }
}
