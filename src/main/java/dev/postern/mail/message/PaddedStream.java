package dev.postern.mail.message;

import java.io.IOException;
import java.io.InputStream;

/** A base64 text that ends with its padding: what stands behind it, such as the footer of a mailing list, isn't encoded. */
final class PaddedStream extends DecodingStream {

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
