package dev.postern.model;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The hash function SHA-256 (FIPS 180-4). */
public final class Sha256 {

    private Sha256() {}

    /** The hash of {@code bytes}: 32 bytes. */
    public static byte[] of(byte[] bytes) {
        return digest().digest(bytes);
    }

    /** The hash of {@code text} in UTF-8. */
    public static byte[] of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A short name for a long text: the first {@code bytes} of its hash, in hex. */
    public static String name(String text, int bytes) {
        return HexFormat.of().formatHex(of(text), 0, bytes);
    }

    /** A new digest, for content that comes in pieces. */
    public static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
