package dev.postern.config;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A text in JSON5 of which a JSON parser finds the tokens. It knows the line of each offset, and reads strings with the escapes of
 * JSON5, of which the parser knows only those of JSON.
 *
 * @see <a href="https://spec.json5.org/#escapes">JSON5, 5.1 Escapes</a>
 */
final class Json5Text {

    private static final Map<Character, Character> ESCAPES =
            Map.of('0', '\0', 'b', '\b', 'f', '\f', 'n', '\n', 'r', '\r', 't', '\t', 'v', '\u000B');
    private static final Pattern HEXADECIMAL_DIGITS = Pattern.compile("\\p{XDigit}+");
    private static final Pattern HEXADECIMAL_NUMBER = Pattern.compile("(?<![\\w.])0[xX]\\p{XDigit}");

    private final String text;
    private final int[] lineStarts;

    /** @param given the text; a carriage return before a line feed counts for nothing */
    Json5Text(String given) {
        text = given.replace("\r\n", "\n");
        lineStarts = IntStream.concat(
                        IntStream.of(0),
                        IntStream.range(0, text.length())
                                .filter(place -> text.charAt(place) == '\n' || text.charAt(place) == '\r')
                                .map(place -> place + 1))
                .toArray();
    }

    /** The place of an escape that JSON5 does not have. */
    static final class EscapeException extends IOException {

        private static final long serialVersionUID = 1L;

        final int offset;

        private EscapeException(int offset) {
            super("no escape of JSON5");
            this.offset = offset;
        }
    }

    /** The characters to which all offsets refer. */
    char[] characters() {
        return text.toCharArray();
    }

    /** The line and the column of {@code offset}, for {@code locator}. */
    ValueOrigin at(int offset, JsonConfigurationReader.Locator locator) {
        int found = Arrays.binarySearch(lineStarts, offset);
        int line = found < 0 ? -found - 1 : found + 1;
        return locator.at(line, offset - lineStarts[line - 1] + 1);
    }

    /** Whether a number in hexadecimal digits begins at {@code offset}. */
    boolean isHexadecimalAt(int offset) {
        return offset >= 0
                && HEXADECIMAL_NUMBER
                        .matcher(text)
                        .useTransparentBounds(true)
                        .region(offset, text.length())
                        .lookingAt();
    }

    /** Whether a string begins at {@code offset}. */
    boolean isStringAt(int offset) {
        return text.charAt(offset) == '"' || text.charAt(offset) == '\'';
    }

    /**
     * The string that begins at {@code offset} with its quote, and of which the parser has found the end.
     *
     * @throws EscapeException if the string has an escape that JSON5 does not have
     */
    String stringAt(int offset) throws EscapeException {
        StringBuilder string = new StringBuilder();
        int place = offset + 1;
        while (text.charAt(place) != text.charAt(offset)) {
            if (text.charAt(place) == '\\') {
                place = readEscape(place, string);
            } else {
                string.append(text.charAt(place++));
            }
        }
        return string.toString();
    }

    /** Reads the escape that begins at {@code offset} with its backslash, and returns the offset after it. */
    private int readEscape(int offset, StringBuilder string) throws EscapeException {
        return switch (text.charAt(offset + 1)) {
            case 'x' -> readCode(offset, 2, string);
            case 'u' -> readCode(offset, 4, string);
            case '\n', '\r', '\u2028', '\u2029' -> offset + 2;
            default -> {
                string.append(escaped(offset));
                yield offset + 2;
            }
        };
    }

    /** The character behind the backslash at {@code offset}, or the one that it stands for. */
    private char escaped(int offset) throws EscapeException {
        char escaped = text.charAt(offset + 1);
        if (isDigit(escaped) && (escaped != '0' || isDigit(text.charAt(offset + 2)))) {
            throw new EscapeException(offset);
        }
        return ESCAPES.getOrDefault(escaped, escaped);
    }

    private int readCode(int offset, int digits, StringBuilder string) throws EscapeException {
        int end = Math.min(offset + 2 + digits, text.length());
        String code = text.substring(offset + 2, end);
        if (!HEXADECIMAL_DIGITS.matcher(code).matches()) {
            throw new EscapeException(offset);
        }
        string.append((char) Integer.parseInt(code, 16));
        return end;
    }

    private static boolean isDigit(char character) {
        return character >= '0' && character <= '9';
    }
}
