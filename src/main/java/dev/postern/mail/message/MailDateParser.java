package dev.postern.mail.message;

import jakarta.mail.internet.MailDateFormat;
import java.text.ParsePosition;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Date;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A parser of the header Date (RFC 5322, section 3.3) that accepts common errors and writes dates in ISO 8601. */
final class MailDateParser {

    private static final int MAX_YEAR = 9_999;
    private static final Pattern OFFSET = Pattern.compile("([+-])(\\d{2})(\\d{2})\\b");

    private MailDateParser() {}

    /** The date of {@code header} with the sender's offset from UTC; empty if it is no date. */
    static String sent(String header) {
        String text = SingleLineText.line(header, 100);
        Date sent = text.isEmpty() ? null : new MailDateFormat().parse(text, new ParsePosition(0));
        if (sent != null) {
            OffsetDateTime date = sent.toInstant().atOffset(offset(text));
            if (date.getYear() > 0 && date.getYear() <= MAX_YEAR) {
                return DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(date);
            }
        }
        return "";
    }

    /** The time of arrival in UTC. */
    static String received(Date date) {
        return DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(date.toInstant().atOffset(ZoneOffset.UTC));
    }

    /** The offset in {@code text}; UTC if it is given by name or makes no sense. */
    private static ZoneOffset offset(String text) {
        Matcher offset = OFFSET.matcher(text);
        if (!offset.find()) {
            return ZoneOffset.UTC;
        }
        int minutes = Integer.parseInt(offset.group(2)) * 60 + Integer.parseInt(offset.group(3));
        return minutes > 18 * 60
                ? ZoneOffset.UTC
                : ZoneOffset.ofTotalSeconds(("-".equals(offset.group(1)) ? -60 : 60) * minutes);
    }
}
