package dev.postern.mail.message;

import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeBodyPart;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimePart;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PushbackInputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A reader of a part's content, which fetches it from the server piece by piece and only as far as it is read. */
final class PartContentReader {

    /** Limit before transfer decoding; longer than any text written by a person. */
    private static final int MAX_RAW_BYTES = 2 << 20;

    /** Number of bytes from which the charset of HTML is detected. */
    private static final int SAMPLE_BYTES = 8_192;

    private static final int LINE_END_BYTES = 2;

    private PartContentReader() {}

    /** The part as it was sent, without its headers. */
    static InputStream raw(MimePart part) throws MessagingException {
        return part instanceof MimeMessage message
                ? message.getRawInputStream()
                : ((MimeBodyPart) part).getRawInputStream();
    }

    /**
     * Appends the text of {@code leaf} to {@code text}.
     *
     * @throws MessagingException if the server can't be asked
     * @throws IOException if the server doesn't answer
     */
    static void read(TextParts.Leaf leaf, int maxBytes, BodyText text) throws MessagingException, IOException {
        String encoding = leaf.part().getEncoding();
        try (BoundedStream raw = new BoundedStream(raw(leaf.part()), MAX_RAW_BYTES);
                InputStream bytes = TransferEncoding.decoded(raw, encoding == null ? "" : encoding)) {
            text.begin();
            if (leaf.kind() == TextParts.Kind.HTML) {
                html(bytes, leaf.type().charset(), text);
            } else {
                plain(bytes, leaf.type(), 4 * maxBytes + SAMPLE_BYTES, text);
            }
            if (raw.isCut()) {
                text.cut();
            }
            if (raw.isEmpty() && leaf.part() instanceof MimeBodyPart part && part.getSize() > LINE_END_BYTES) {
                throw new IOException("the server lists a part and has nothing in it");
            }
        }
    }

    private static void plain(InputStream bytes, MediaType type, int most, BodyText text) throws IOException {
        byte[] some = bytes.readNBytes(most);
        boolean whole = some.length < most || bytes.read() < 0;
        String plain = unmarked(new String(some, CharsetDetector.of(type.charset(), some, some.length, whole)));
        text.append(type.isFlowed() ? FlowedText.joined(plain, type.deletesSpace()) : plain);
        if (!whole) {
            text.cut();
        }
    }

    private static void html(InputStream bytes, String charset, BodyText text) throws IOException {
        PushbackInputStream again = new PushbackInputStream(bytes, SAMPLE_BYTES);
        byte[] sample = again.readNBytes(SAMPLE_BYTES);
        int mark = Utf8Validator.isMarked(sample) ? Utf8Validator.MARK_BYTES : 0;
        again.unread(sample, mark, sample.length - mark);
        String name = charset.isEmpty() ? HtmlCharset.in(sample) : charset;
        Charset chosen = CharsetDetector.of(name, sample, sample.length, sample.length < SAMPLE_BYTES);
        HtmlTextExtractor.read(new InputStreamReader(again, chosen), text);
    }

    /** {@code text} without a byte order mark. */
    private static String unmarked(String text) {
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }

    /** The charset that an HTML text declares in a meta element (html.spec.whatwg.org, section 13.2.3.2). */
    private static final class HtmlCharset {

        private static final int SEARCHED_BYTES = 1_024;
        private static final Pattern NAME =
                Pattern.compile("<meta\\b[^>]*?\\bcharset\\s*=\\s*[\"']?\\s*([\\w:.-]+)", Pattern.CASE_INSENSITIVE);

        private HtmlCharset() {}

        /** The name of the charset; empty if {@code beginning} declares none. */
        static String in(byte[] beginning) {
            String ascii =
                    new String(beginning, 0, Math.min(beginning.length, SEARCHED_BYTES), StandardCharsets.ISO_8859_1);
            Matcher meta = NAME.matcher(ascii);
            return meta.find() && !meta.group(1).regionMatches(true, 0, "utf-16", 0, 6) ? meta.group(1) : "";
        }
    }
}
