package dev.postern.config;

import dev.postern.model.Secret;
import dev.postern.model.Sha256;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.zip.CRC32;

/**
 * The token of a sender, in a form that scanners for secrets recognize: {@code pst_}, then 32 random bytes in 43 digits of
 * base 62, then their checksum (CRC-32 of these digits) in 6 such digits.
 */
final class SenderToken {

    private static final String PREFIX = "pst_";
    private static final String DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final BigInteger BASE = BigInteger.valueOf(DIGITS.length());
    private static final int BYTES = 32;
    private static final int RANDOM_DIGITS = 43;
    private static final int CHECKSUM_DIGITS = 6;

    private SenderToken() {}

    /** A new token. */
    static Secret create() {
        byte[] bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        String digits = digits(new BigInteger(1, bytes), RANDOM_DIGITS);
        return new Secret(PREFIX + digits + checksum(digits));
    }

    /** The hash under which the configuration keeps {@code token}. */
    static String hash(Secret token) {
        return HexFormat.of().formatHex(Sha256.of(token.bytes()));
    }

    /** Whether {@code token} begins as a sender's token does and is none, such as one that was not copied whole. */
    static boolean isDamaged(String token) {
        if (!token.startsWith(PREFIX)) {
            return false;
        }
        int end = PREFIX.length() + RANDOM_DIGITS;
        return token.length() != end + CHECKSUM_DIGITS
                || !token.substring(end).equals(checksum(token.substring(PREFIX.length(), end)));
    }

    private static String checksum(String digits) {
        CRC32 crc = new CRC32();
        crc.update(digits.getBytes(StandardCharsets.UTF_8));
        return digits(BigInteger.valueOf(crc.getValue()), CHECKSUM_DIGITS);
    }

    private static String digits(BigInteger number, int count) {
        char[] digits = new char[count];
        BigInteger rest = number;
        for (int i = count - 1; i >= 0; i--) {
            BigInteger[] parts = rest.divideAndRemainder(BASE);
            digits[i] = DIGITS.charAt(parts[1].intValue());
            rest = parts[0];
        }
        return new String(digits);
    }
}
