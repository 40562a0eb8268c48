package dev.postern.mail.message;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Locale;

/**
 * Content-Transfer-Encoding (RFC 2045, section 6), read as far as it can be: what is no part of the encoding is passed over
 * or stands for itself, and an encoding that nobody knows is none.
 */
final class TransferEncoding {

    private TransferEncoding() {}

    /** @param name the header's value, which may hold comments and typing errors; empty for none */
    static InputStream decoded(InputStream raw, String name) {
        String word = name.strip().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9-].*", "");
        return switch (word) {
            case "base64" -> new Base64Stream(raw);
            case "quoted-printable" -> new QuotedPrintableStream(raw);
            case "uuencode", "x-uuencode", "x-uue", "uue" -> new UuStream(raw);
            default -> raw;
        };
    }

    static byte[] base64(byte[] encoded) {
        return all(new Base64Stream(new ByteArrayInputStream(encoded)));
    }

    static byte[] quotedPrintable(byte[] encoded) {
        return all(new QuotedPrintableStream(new ByteArrayInputStream(encoded)));
    }

    private static byte[] all(InputStream stream) {
        try {
            return stream.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("bytes in memory can be read", e);
        }
    }
}
