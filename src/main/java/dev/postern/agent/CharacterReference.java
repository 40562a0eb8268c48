package dev.postern.agent;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A character reference of HTML, numeric or named, such as the one called {@code lt}, as browsers read it: the semicolon at
 * its end is sometimes optional. A reference whose ampersand is itself written as a reference counts as well.
 *
 * @param codePoint the first character that it stands for
 * @param end the index behind it
 */
record CharacterReference(int codePoint, int end) {

    private static final int AMPERSAND = '&';

    /** The most digits after leading zeros, of which HTML allows any number. */
    private static final int MAX_DIGITS = 16;

    private static final Map<String, Integer> NAMED = named();
    private static final int MAX_NAME =
            NAMED.keySet().stream().mapToInt(String::length).max().orElseThrow();

    /** The value for a text without a reference at the given index. */
    static final CharacterReference NONE = new CharacterReference(-1, -1);

    /** The reference whose ampersand is at {@code at}, or {@link #NONE}. */
    static CharacterReference at(String text, int at) {
        CharacterReference reference = behindAmpersand(text, at + 1);
        while (reference.codePoint == AMPERSAND) {
            reference = behindAmpersand(text, reference.end);
        }
        return reference;
    }

    private static CharacterReference behindAmpersand(String text, int start) {
        if (start >= text.length()) {
            return NONE;
        }
        return text.charAt(start) == '#' ? numeric(text, start + 1) : named(text, start);
    }

    private static CharacterReference numeric(String text, int start) {
        boolean hex = start < text.length() && (text.charAt(start) | 0x20) == 'x';
        int from = hex ? start + 1 : start;
        int radix = hex ? 16 : 10;
        int end = from;
        while (end < text.length() && text.charAt(end) == '0') {
            end++;
        }
        int significant = end;
        int value = 0;
        while (end < text.length() && end - significant < MAX_DIGITS && digit(text.charAt(end), radix) >= 0) {
            value = Math.min(value * radix + digit(text.charAt(end), radix), Character.MAX_CODE_POINT + 1);
            end++;
        }
        return end == from || value > Character.MAX_CODE_POINT
                ? NONE
                : new CharacterReference(value, pastEnd(text, end));
    }

    private static int digit(char c, int radix) {
        return c < 0x80 ? Character.digit(c, radix) : -1;
    }

    /** The reference with the longest name that fits, as in HTML. */
    private static CharacterReference named(String text, int start) {
        int most = start;
        while (most < text.length() && most - start < MAX_NAME && isInName(text.charAt(most))) {
            most++;
        }
        for (int end = pastEnd(text, most); end > start; end--) {
            Integer codePoint = NAMED.get(text.substring(start, end));
            if (codePoint != null) {
                return new CharacterReference(codePoint, end);
            }
        }
        return NONE;
    }

    private static boolean isInName(char c) {
        return c < 0x80 && Character.isLetterOrDigit(c);
    }

    private static int pastEnd(String text, int end) {
        return end < text.length() && text.charAt(end) == ';' ? end + 1 : end;
    }

    private static Map<String, Integer> named() {
        Map<String, Integer> named = new HashMap<>();
        List.of("amp", "amp;", "AMP", "AMP;").forEach(name -> named.put(name, AMPERSAND));
        try (BufferedReader lines = LookAlikeCharacters.Resource.open("entities.txt")) {
            lines.lines().filter(line -> !line.startsWith("#")).forEach(line -> {
                String[] words = line.split(" ", -1);
                named.put(words[0], Integer.parseInt(words[1], 16));
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return named;
    }
}
