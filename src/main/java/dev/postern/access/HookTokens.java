package dev.postern.access;

import dev.postern.model.Secret;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/**
 * The valid hook tokens. A presented token is hashed (SHA-256), and the hash is compared with that of every token. So
 * the time taken reveals neither a token's length nor how much of it is right.
 */
final class HookTokens {

    private final List<byte[]> digests;

    HookTokens(List<Secret> tokens) {
        this.digests = tokens.stream().map(token -> digest(token.bytes())).toList();
    }

    /**
     * Whether {@code presented} is one of the tokens. A token that isn't ASCII is compared as its UTF-8 bytes.
     *
     * @param presented the bytes received, one character per byte; empty is never a token
     */
    boolean contains(String presented) {
        if (presented.isEmpty() || !isBytes(presented)) {
            return false;
        }
        byte[] received = digest(presented.getBytes(StandardCharsets.ISO_8859_1));
        boolean known = false;
        for (byte[] token : digests) {
            known |= MessageDigest.isEqual(token, received);
        }
        return known;
    }

    /**
     * Whether all characters are bytes. Encoding would turn any other character into a question mark, which a token may
     * contain.
     */
    private static boolean isBytes(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) > 0xff) {
                return false;
            }
        }
        return true;
    }

    private static byte[] digest(byte[] bytes) {
        try {
            // A new instance costs no more than the clone of a kept one, and leaves no thread-local behind.
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("this Java has no SHA-256, which every Java has to have", missing);
        }
    }
}
