package dev.postern.agent;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A character reference of HTML, numeric or named, such as the one called {@code lt}, as browsers read it: the semicolon at
 * its end is sometimes optional. A reference whose ampersand is itself written as a reference counts as well. So does one in
 * which invisible characters stand, or characters that Unicode's compatibility mapping (NFKC) turns into its own.
 *
 * @param codePoint the first character that it stands for
 * @param end the index behind it
 */
record CharacterReference(int codePoint, int end) {

    private static final int AMPERSAND = '&';
    private static final int SMALL_AMPERSAND = 0xFE60;
    private static final int FULLWIDTH_AMPERSAND = 0xFF06;

    /** The most characters of a reference that is read in disguise. */
    private static final int MAX_DISGUISED = 64;

    /** The most digits after leading zeros, of which HTML allows any number. */
    private static final int MAX_DIGITS = 16;

    private static final Map<String, Integer> NAMED = named();
    private static final int MAX_NAME =
            NAMED.keySet().stream().mapToInt(String::length).max().orElseThrow();

    /** The value for a text without a reference at the given index. */
    static final CharacterReference NONE = new CharacterReference(-1, -1);

    /** Whether a reference may begin with {@code c}. */
    static boolean isAmpersand(int c) {
        return c == AMPERSAND || c == SMALL_AMPERSAND || c == FULLWIDTH_AMPERSAND;
    }

    /** The reference whose ampersand is at {@code at}, or {@link #NONE}. As it is written it counts first if that is ASCII. */
    static CharacterReference at(String text, int at) {
        CharacterReference plain = plain(text, at);
        boolean isVisible = plain.codePoint > ' ' && plain.codePoint < 0x7F;
        return isVisible || !isDisguised(text, at) ? plain : disguised(text, at);
    }

    /** Whether a character of another kind stands among or directly behind those of the reference. */
    private static boolean isDisguised(String text, int at) {
        int most = Math.min(text.length(), at + MAX_DISGUISED);
        int end = text.charAt(at) == AMPERSAND ? at + 1 : at;
        while (end < most && isPart(text.charAt(end))) {
            end++;
        }
        return end < most && (text.charAt(end) >= 0x7F || DecodedCharacter.isInvisible(text.charAt(end)));
    }

    /** Whether {@code c} may follow the ampersand of a reference. */
    static boolean isPart(char c) {
        return isInName(c) || c == '#' || c == ';';
    }

    private static CharacterReference disguised(String text, int at) {
        StringBuilder plain = new StringBuilder("&");
        List<Integer> ends = new ArrayList<>(List.of(at + 1));
        int end = at + 1;
        while (end < text.length() && plain.length() < MAX_DISGUISED) {
            int codePoint = text.codePointAt(end);
            end += Character.charCount(codePoint);
            String compatible = compatible(codePoint);
            if (!compatible.chars().allMatch(c -> isPart((char) c))) {
                break;
            }
            plain.append(compatible);
            ends.addAll(Collections.nCopies(compatible.length(), end));
        }
        CharacterReference reference = plain(plain.toString(), 0);
        return reference.equals(NONE) ? NONE : new CharacterReference(reference.codePoint, ends.get(reference.end - 1));
    }

    /** What {@code codePoint} is normalised to; nothing if it is invisible. */
    private static String compatible(int codePoint) {
        if (DecodedCharacter.isInvisible(codePoint)) {
            return "";
        }
        String text = Character.toString(codePoint);
        return codePoint < 0x80 ? text : Normalizer.normalize(text, Normalizer.Form.NFKC);
    }

    private static CharacterReference plain(String text, int at) {
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
