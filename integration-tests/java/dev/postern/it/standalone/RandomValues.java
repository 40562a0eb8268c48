package dev.postern.it.standalone;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/** A source of random choices, numbers and texts that a seed repeats. Texts stand for bytes, as ISO 8859-1. */
final class RandomValues {

    /** Bytes that mean something to a parser of HTTP, JSON, forms or UTF-8. */
    private static final List<String> TELLING = List.of(
            "\r\n",
            "\n",
            "\r",
            "\r\n\r\n",
            "\0",
            "\t",
            " ",
            ":",
            ";",
            ",",
            "=",
            "&",
            "%",
            "%00",
            "%zz",
            "%c0%af",
            "+",
            "\"",
            "\\",
            "{",
            "}",
            "[",
            "]",
            "<",
            ">",
            "'",
            "#",
            "?",
            "/",
            "//",
            "/../",
            "..;",
            "\u00ff",
            "\u00c0\u0080",
            "\u00ed\u00a0\u0080",
            "\u00ef\u00bb\u00bf",
            "\u007f",
            "\u001b[2J",
            "-1",
            "0",
            "99999999999999999999",
            "HTTP/1.1",
            "Content-Length: 5\r\n",
            "Transfer-Encoding: chunked\r\n",
            "\r\n ",
            "\r\n\t",
            "0\r\n\r\n");

    private final Random random;

    RandomValues(long seed) {
        this.random = new Random(seed);
    }

    /** True in so many of a hundred cases. */
    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    /** A number from zero on, below {@code bound}. */
    int below(int bound) {
        return random.nextInt(bound);
    }

    <T> T of(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    @SafeVarargs
    final <T> T of(T... values) {
        return values[random.nextInt(values.length)];
    }

    /** Up to {@code most} bytes of any value. */
    String bytes(int most) {
        byte[] bytes = new byte[random.nextInt(most + 1)];
        random.nextBytes(bytes);
        return latin1(bytes);
    }

    /** Up to {@code most} characters that are printed and are no white space. */
    String visible(int most) {
        StringBuilder text = new StringBuilder();
        for (int left = random.nextInt(most + 1); left > 0; left--) {
            text.append((char) ('!' + random.nextInt('~' - '!' + 1)));
        }
        return text.toString();
    }

    /** What a parser may stumble over. */
    String telling() {
        return of(TELLING);
    }

    /** A text of any of these kinds, perhaps a long one. */
    String any() {
        return switch (random.nextInt(8)) {
            case 0 -> "";
            case 1 -> bytes(40);
            case 2 -> telling();
            case 3 -> visible(20) + telling() + visible(20);
            case 4 -> chance(10) ? of("a", "%61", "\u00e4", ",").repeat(1 + random.nextInt(9_000)) : visible(3);
            case 5 -> of("-1", "0", "1", "NaN", "1e999", "2147483648", "99999999999999999999", "true", "null");
            case 6 ->
                of(
                        "now",
                        "1970-01-01T00:00:00Z",
                        "+999999999-12-31T23:59:59Z",
                        "-1000000000-01-01T00:00:00Z",
                        "P1D",
                        "7d",
                        "9999999999d");
            default -> visible(30);
        };
    }

    /** Changes {@code text} at some places: bytes are flipped, removed, repeated, put in or moved. */
    String changed(String text) {
        StringBuilder changed = new StringBuilder(text);
        for (int changes = 1 + random.nextInt(4); changes > 0 && changed.length() > 0; changes--) {
            int from = random.nextInt(changed.length());
            int to = Math.min(changed.length(), from + 1 + random.nextInt(chance(20) ? 200 : 8));
            switch (random.nextInt(7)) {
                case 0 -> changed.setCharAt(from, (char) (changed.charAt(from) ^ 1 << random.nextInt(8)));
                case 1 -> changed.delete(from, to);
                case 2 -> changed.insert(from, changed.substring(from, to));
                case 3 -> changed.insert(from, telling());
                case 4 -> changed.insert(from, bytes(6));
                case 5 -> {
                    String moved = changed.substring(from, to);
                    changed.delete(from, to).insert(random.nextInt(changed.length() + 1), moved);
                }
                default -> changed.setLength(chance(30) ? from : changed.length());
            }
        }
        return changed.toString();
    }

    /** The bytes of {@code text} in UTF-8, each as a character. */
    static String utf8(String text) {
        return latin1(text.getBytes(StandardCharsets.UTF_8));
    }

    static String latin1(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
