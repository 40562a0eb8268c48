package dev.postern.model;

import java.util.regex.Pattern;

/** The form of mail addresses to which and from which Postern sends mails. */
public final class MailAddress {

    private static final String ATOM = "[A-Za-z0-9!#$%&'*+=?^_`{|}~-]+";
    private static final String LABEL = "[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?";

    /** A domain behind an at sign, such as {@code @example.com}. */
    public static final Pattern DOMAIN = Pattern.compile("@" + LABEL + "(\\." + LABEL + ")*");

    /**
     * An address without quotes, comments and slashes: of the form {@code Dot-string} of RFC 5321, section 4.1.2, in ASCII. It has at
     * most 64 characters before the at sign, and 254 in all (section 4.5.3.1).
     */
    public static final Pattern FORM =
            Pattern.compile("(?=.{1,254}$)(?=.{1,64}@)" + ATOM + "(\\." + ATOM + ")*" + DOMAIN.pattern());

    private MailAddress() {}

    /** Whether {@code text} is an address of the {@link #FORM}. */
    public static boolean matches(String text) {
        return FORM.matcher(text).matches();
    }
}
