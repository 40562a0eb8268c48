package dev.postern.mail.message;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A decoder of header text (RFC 2047) that is more lenient than the RFC. Encoded words may be inside quotes or next to
 * letters, may contain spaces, and may split a character between two of them. Bytes above 127 are UTF-8, or else
 * windows-1252.
 */
final class EncodedWordDecoder {

    private static final Pattern WORD = Pattern.compile("=\\?([^?\\s]{1,60})\\?([bBqQ])\\?([^?]*+)\\?=");

    private EncodedWordDecoder() {}

    /** @param raw a header's value, its bytes as Latin-1 or already decoded; folded or unfolded */
    static String decode(String raw) {
        String text = repaired(raw);
        Matcher word = WORD.matcher(text);
        if (!word.find()) {
            return text;
        }
        StringBuilder decoded = new StringBuilder();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        String charset = "";
        int end = 0;
        do {
            String between = text.substring(end, word.start());
            boolean follows = end > 0 && between.isBlank();
            String of = languageless(word.group(1));
            if (!follows || !of.equalsIgnoreCase(charset)) {
                decoded.append(CharsetDetector.decode(bytes.toByteArray(), charset));
                bytes.reset();
            }
            if (!follows) {
                decoded.append(between);
            }
            charset = of;
            bytes.writeBytes(
                    "b".equalsIgnoreCase(word.group(2))
                            ? TransferEncoding.base64(ascii(word.group(3)))
                            : TransferEncoding.quotedPrintable(
                                    ascii(word.group(3).replace('_', ' '))));
            end = word.end();
        } while (word.find());
        decoded.append(CharsetDetector.decode(bytes.toByteArray(), charset));
        return decoded.append(text, end, text.length()).toString();
    }

    /** Decodes text that holds bytes of another charset as Latin-1; other text stays. */
    private static String repaired(String raw) {
        boolean eightBits = false;
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c > 0xFF) {
                return raw;
            }
            eightBits |= c > 0x7F;
        }
        return eightBits ? CharsetDetector.decode(raw.getBytes(StandardCharsets.ISO_8859_1), "") : raw;
    }

    /** Drops the language from a charset name (RFC 2231, section 5): {@code =?us-ascii*en-us?...}. */
    private static String languageless(String charset) {
        int star = charset.indexOf('*');
        return star < 0 ? charset : charset.substring(0, star);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
