package dev.postern.mail.message;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Base64 (RFC 2045, section 6.8; RFC 4648's letters for addresses too). Other letters are passed over; padding ends a group, not the text. */
final class Base64Stream extends DecodingStream {

    private static final byte[] VALUES = values();

    private int bits;
    private int count;

    Base64Stream(InputStream encoded) {
        super(encoded);
    }

    @Override
    int next() throws IOException {
        while (true) {
            int c = in.read();
            if (c < 0) {
                return -1;
            }
            if (c == '=') {
                count = 0;
                continue;
            }
            int value = c < 128 ? VALUES[c] : -1;
            if (value < 0) {
                continue;
            }
            bits = bits << 6 | value;
            count += 6;
            if (count >= 8) {
                count -= 8;
                return bits >> count & 0xFF;
            }
        }
    }

    private static byte[] values() {
        byte[] values = new byte[128];
        Arrays.fill(values, (byte) -1);
        String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        for (int i = 0; i < alphabet.length(); i++) {
            values[alphabet.charAt(i)] = (byte) i;
        }
        values['-'] = 62;
        values['_'] = 63;
        return values;
    }
}
