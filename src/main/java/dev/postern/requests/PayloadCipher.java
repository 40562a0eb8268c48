package dev.postern.requests;

import dev.postern.model.SealedPayload;
import dev.postern.model.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
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
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final SecretKeySpec key;
    private final String keyId;
    private final SecureRandom random = new SecureRandom();

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
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            Cipher cipher = cipher(Cipher.ENCRYPT_MODE, requestId, nonce);
            byte[] sealed = Arrays.copyOf(nonce, NONCE_BYTES + cipher.getOutputSize(payload.length));
            cipher.doFinal(payload, 0, payload.length, sealed, NONCE_BYTES);
            return new SealedPayload(keyId, sealed);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the JDK can't encrypt with AES-256-GCM", e);
        }
    }

    /** Decrypts a payload; empty if it was encrypted with another key or for another request, or was changed since. */
    Optional<byte[]> open(String requestId, SealedPayload sealedPayload) {
        byte[] sealed = sealedPayload.bytes();
        if (!sealedPayload.keyId().equals(keyId) || sealed.length < NONCE_BYTES) {
            return Optional.empty();
        }
        try {
            Cipher cipher = cipher(Cipher.DECRYPT_MODE, requestId, Arrays.copyOf(sealed, NONCE_BYTES));
            return Optional.of(cipher.doFinal(sealed, NONCE_BYTES, sealed.length - NONCE_BYTES));
        } catch (AEADBadTagException changed) {
            return Optional.empty();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the JDK can't decrypt with AES-256-GCM", e);
        }
    }

    private Cipher cipher(int mode, String requestId, byte[] nonce) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(key);
        byte[] own = mac.doFinal(requestId.getBytes(StandardCharsets.UTF_8));
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, new SecretKeySpec(own, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
        return cipher;
    }
}
