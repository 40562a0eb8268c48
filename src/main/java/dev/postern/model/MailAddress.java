package dev.postern.model;

import java.util.regex.Pattern;

/** The form of mail addresses to which Postern sends mails. */
public final class MailAddress {

    /** The longest address, in characters (RFC 5321, section 4.5.3.1.3). */
    private static final int MAX_CHARS = 254;

    private static final Pattern FORM = Pattern.compile(
            "[A-Za-z0-9!#$%&'*+=?^_`{|}~-]+(\\.[A-Za-z0-9!#$%&'*+=?^_`{|}~-]+)*" + "@[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*");

    private MailAddress() {}

    /**
     * Whether {@code text} is an address without quotes, comments and slashes: of the form {@code Dot-string} of RFC 5321, section
     * 4.1.2, in ASCII.
     */
    public static boolean matches(String text) {
        return text.length() <= MAX_CHARS && FORM.matcher(text).matches();
    }
}
