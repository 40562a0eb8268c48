package dev.postern.requests;

import dev.postern.model.SealedPayload;
import dev.postern.model.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

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

    /** Ciphers that no thread uses now. To make one takes as long as to encrypt a payload with it. */
    private final Queue<RequestCipher> idle = new ConcurrentLinkedQueue<>();

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
        @Nullable RequestCipher found = idle.poll();
        try {
            // The JDK's cipher takes no key twice in a row, as for a request that is sealed again.
            RequestCipher cipher = found == null || found.last.equals(requestId) ? new RequestCipher(key) : found;
            byte[] sealed = cipher.of(requestId, Cipher.ENCRYPT_MODE).doFinal(payload);
            idle.add(cipher);
            return new SealedPayload(keyId, sealed);
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
            return Optional.of(
                    new RequestCipher(key).of(requestId, Cipher.DECRYPT_MODE).doFinal(sealedPayload.bytes()));
        } catch (AEADBadTagException changed) {
            return Optional.empty();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the JDK can't decrypt with AES-256-GCM", e);
        }
    }

    /** A cipher for one request after another. For use by one thread at a time. */
    private static final class RequestCipher {

        private final Mac mac = Mac.getInstance("HmacSHA256");
        private final Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        private String last = "";

        RequestCipher(SecretKeySpec key) throws GeneralSecurityException {
            mac.init(key);
        }

        /** The cipher of one request. Its key encrypts that request's payload and nothing else, so the nonce can be constant. */
        Cipher of(String requestId, int mode) throws GeneralSecurityException {
            byte[] own = mac.doFinal(requestId.getBytes(StandardCharsets.UTF_8));
            cipher.init(mode, new SecretKeySpec(own, "AES"), new GCMParameterSpec(TAG_BITS, NONCE));
            last = requestId;
            return cipher;
        }
    }
}
