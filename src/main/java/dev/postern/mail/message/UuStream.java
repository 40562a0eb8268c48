package dev.postern.mail.message;

import java.io.IOException;
import java.io.InputStream;
import org.eclipse.angus.mail.util.UUDecoderStream;

/** A decoded uuencode text (POSIX) that passes over the lines at which Angus' decoder breaks: one too long, a bare "begin". */
final class UuStream extends DecodingStream {

    UuStream(InputStream encoded) {
        super(new UUDecoderStream(encoded, true, true));
    }

    @Override
    int next() throws IOException {
        while (true) {
            try {
                return in.read();
            } catch (IndexOutOfBoundsException tooShortOrLong) {
                // The decoder has taken the line, and goes on with the next one.
            }
        }
    }
}
