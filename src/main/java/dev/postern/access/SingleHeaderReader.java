package dev.postern.access;

import java.util.Collections;
import java.util.Enumeration;
import org.jspecify.annotations.Nullable;

/**
 * A reader of header fields that may be sent only once. A field that is sent twice, or is longer than 8 KiB, counts as
 * missing.
 */
final class SingleHeaderReader {

    private static final int MAX_VALUE_BYTES = 8 * 1024;

    private SingleHeaderReader() {}

    /** Every value of a header; empty if the container withholds them. */
    static Enumeration<String> of(HeaderLookup headerLookup, String name) {
        Enumeration<String> values = headerLookup.values(name);
        return values == null ? Collections.emptyEnumeration() : values;
    }

    /** The only value of a header, possibly empty; null if there is none, several, or one over 8 KiB. */
    static @Nullable String singleValue(HeaderLookup headerLookup, String name) {
        Enumeration<String> values = of(headerLookup, name);
        return values.hasMoreElements() ? singleValue(values) : null;
    }

    /**
     * The next of {@code values}, which has one, without the whitespace around it; null if it is not the last or is
     * over 8 KiB.
     */
    static @Nullable String singleValue(Enumeration<String> values) {
        String value = values.nextElement();
        return values.hasMoreElements() || value.length() > MAX_VALUE_BYTES ? null : trimmed(value, 0);
    }

    /**
     * The rest of {@code value} from {@code start} on, without the optional whitespace around it (RFC 9110 section
     * 5.6.3).
     */
    static String trimmed(String value, int start) {
        int from = start;
        int to = value.length();
        while (from < to && isBlank(value.charAt(from))) {
            from++;
        }
        while (from < to && isBlank(value.charAt(to - 1))) {
            to--;
        }
        return value.substring(from, to);
    }

    /** Whether {@code c} is optional whitespace. */
    static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }
}
