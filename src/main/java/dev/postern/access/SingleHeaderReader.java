package dev.postern.access;

import java.util.Collections;
import java.util.Enumeration;
import org.jspecify.annotations.Nullable;

/**
 * What stands in a header field that may be sent once. Whoever sends it twice, or more than 8 KiB of it, has sent nothing
 * that counts.
 */
final class SingleHeaderReader {

    private static final int MAX_VALUE_BYTES = 8 * 1024;

    private SingleHeaderReader() {}

    /** Every value sent under a name, none when the container withholds them. */
    static Enumeration<String> of(HeaderLookup headerLookup, String name) {
        Enumeration<String> values = headerLookup.values(name);
        return values == null ? Collections.emptyEnumeration() : values;
    }

    /** The one value sent under a name, perhaps empty; null when there is none, or not exactly one of at most 8 KiB. */
    static @Nullable String only(HeaderLookup headerLookup, String name) {
        Enumeration<String> values = of(headerLookup, name);
        return values.hasMoreElements() ? only(values) : null;
    }

    /** The next of {@code values}, which has one, without the whitespace around it; null unless it is the last. */
    static @Nullable String only(Enumeration<String> values) {
        String value = values.nextElement();
        return values.hasMoreElements() || value.length() > MAX_VALUE_BYTES ? null : trimmed(value, 0);
    }

    /** What stands from {@code start} on, without the optional whitespace (RFC 9110 section 5.6.3) around it. */
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
