package dev.postern.mail.message;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import org.eclipse.angus.mail.util.BASE64DecoderStream;
import org.eclipse.angus.mail.util.UUDecoderStream;

/**
 * The decoder for the header Content-Transfer-Encoding (RFC 2045, section 6). It is lenient: bytes that are no part of the
 * encoding are skipped or stand for themselves, and an unknown encoding counts as none.
 */
final class TransferEncoding {

    /** The most characters of a name that are read. */
    private static final int MAX_NAME_CHARS = 100;

    private static final int BASE64_LINE = 76;
    private static final int UU_LINE = 61;
    private static final int UU_BYTES = 45;
    private static final int LINE_END = 2;

    private TransferEncoding() {}

    /** @param name the header's value, which may hold comments and typing errors; empty for none */
    static InputStream decoded(InputStream raw, String name) {
        return switch (word(name)) {
            case "base64" -> new BASE64DecoderStream(new PaddedStream(raw), true);
            case "quoted-printable" -> new QuotedPrintableStream(raw);
            case "uuencode", "x-uuencode", "x-uue", "uue" -> new UuStream(raw);
            default -> raw;
        };
    }

    /**
     * The decoded size of a part, estimated from its encoded size. For base64 it is exact to a byte if the lines have the
     * {@value #BASE64_LINE} characters that MIME allows, as nearly all programs write them. For quoted-printable it is the
     * maximum.
     *
     * @param encoded encoded size in bytes, line ends (CR LF) included; 0 or less if unknown
     * @param name the header's value; empty for none
     */
    static long decodedSize(long encoded, String name) {
        if (encoded <= 0) {
            return encoded;
        }
        return switch (word(name)) {
            case "base64" -> base64Size(encoded);
            case "uuencode", "x-uuencode", "x-uue", "uue" -> encoded * UU_BYTES / (UU_LINE + LINE_END);
            default -> encoded;
        };
    }

    /** Estimates three bytes for four characters; the last four stand for one, two or three. */
    private static long base64Size(long encoded) {
        long lines = encoded / (BASE64_LINE + LINE_END);
        long rest = encoded % (BASE64_LINE + LINE_END);
        long last = rest % 4 == LINE_END ? rest - LINE_END : rest;
        return Math.max(0, (lines * BASE64_LINE + last) / 4 * 3 - 1);
    }

    private static String word(String name) {
        return SingleLineText.cut(name.strip(), MAX_NAME_CHARS)
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9-].*", "");
    }

    static byte[] base64(byte[] encoded) {
        return all(new BASE64DecoderStream(new ByteArrayInputStream(encoded), true));
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

    /** A base64 stream that ends at its padding: text behind it, such as the footer of a mailing list, isn't encoded. */
    private static final class PaddedStream extends DecodingStream {

        private boolean ended;

        PaddedStream(InputStream encoded) {
            super(encoded);
        }

        @Override
        int next() throws IOException {
            int c = ended ? -1 : in.read();
            ended |= c == '=';
            return c;
        }
    }

    /** A uuencode decoder (POSIX) that skips the lines at which Angus' decoder fails: one too long, a bare "begin". */
    private static final class UuStream extends DecodingStream {

        UuStream(InputStream encoded) {
            super(new UUDecoderStream(encoded, true, true));
        }

        @Override
        int next() throws IOException {
            while (true) {
                try {
                    return in.read();
                } catch (IndexOutOfBoundsException tooShortOrLong) {
                    // The decoder has consumed the line and goes on with the next one.
                }
            }
        }
    }
}
