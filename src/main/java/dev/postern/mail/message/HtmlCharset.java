package dev.postern.mail.message;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The charset that an HTML text names itself (html.spec.whatwg.org, section 13.2.3.2). */
final class HtmlCharset {

    private static final int SEARCHED_BYTES = 1_024;
    private static final Pattern NAME =
            Pattern.compile("<meta\\b[^>]*?\\bcharset\\s*=\\s*[\"']?\\s*([\\w:.-]+)", Pattern.CASE_INSENSITIVE);

    private HtmlCharset() {}

    /** Empty where {@code beginning} names none. */
    static String in(byte[] beginning) {
        String ascii =
                new String(beginning, 0, Math.min(beginning.length, SEARCHED_BYTES), StandardCharsets.ISO_8859_1);
        Matcher meta = NAME.matcher(ascii);
        return meta.find() && !meta.group(1).regionMatches(true, 0, "utf-16", 0, 6) ? meta.group(1) : "";
    }
}
