package dev.postern.requests;

import dev.postern.model.SealedPayload;
import dev.postern.model.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * A cipher of payloads: AES-256-GCM (NIST SP 800-38D) with a key of each request's own, which is the HMAC-SHA256 of its id.
 * So the number of payloads under one key file has no bound. Safe for use by many threads.
 */
public final class PayloadCipher {

    /** The length of the operator's key, in bytes. */
    public static final int KEY_BYTES = 32;

    private static final int KEY_ID_BYTES = 4;
    private static final byte[] NONCE = new byte[12];
    private static final int TAG_BITS = 128;

    private final SecretKeySpec key;
    private final String keyId;

    /** @param key {@link #KEY_BYTES} random bytes */
    public PayloadCipher(byte[] key) {
        if (key.length != KEY_BYTES) {
            throw new IllegalArgumentException("a key of payloads has " + KEY_BYTES + " bytes");
        }
        this.key = new SecretKeySpec(key, "HmacSHA256");
        this.keyId = HexFormat.of().formatHex(Sha256.of(key), 0, KEY_ID_BYTES);
    }

    /** The id of the key, which does not reveal it. */
    public String keyId() {
        return keyId;
    }

    /** Encrypts the payload of the request {@code requestId}. Only {@link #open} with the same id decrypts it. */
    SealedPayload seal(String requestId, byte[] payload) {
        try {
            return new SealedPayload(
                    keyId, cipher(Cipher.ENCRYPT_MODE, requestId).doFinal(payload));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the JDK can't encrypt with AES-256-GCM", e);
        }
    }

    /** Decrypts a payload; empty if it was encrypted with another key or for another request, or was changed since. */
    Optional<byte[]> open(String requestId, SealedPayload sealedPayload) {
        if (!sealedPayload.keyId().equals(keyId)) {
            return Optional.empty();
        }
        try {
            return Optional.of(cipher(Cipher.DECRYPT_MODE, requestId).doFinal(sealedPayload.bytes()));
        } catch (AEADBadTagException changed) {
            return Optional.empty();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the JDK can't decrypt with AES-256-GCM", e);
        }
    }

    /** The cipher of one request. Its key encrypts that request's payload and nothing else, so the nonce can be constant. */
    private Cipher cipher(int mode, String requestId) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(key);
        byte[] own = mac.doFinal(requestId.getBytes(StandardCharsets.UTF_8));
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, new SecretKeySpec(own, "AES"), new GCMParameterSpec(TAG_BITS, NONCE));
        return cipher;
    }
}
