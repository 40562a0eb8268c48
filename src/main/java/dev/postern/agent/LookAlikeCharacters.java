package dev.postern.agent;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The ASCII readings of characters beyond ASCII: compatibility forms, letters with marks, and look-alikes of other scripts.
 */
final class LookAlikeCharacters {

    private static final char OPENING = '<';
    private static final Set<String> BRACKETS = Set.of("<", "[", "]");

    /** What stands for a space in the list, which separates texts by spaces. */
    private static final char SPACE_SYMBOL = '\u2420';

    private static final LookAlikeCharacters ALL = new LookAlikeCharacters();

    private final Map<Integer, List<String>> readings = new HashMap<>();
    private final @Nullable String[] likeliest = new String[Character.MIN_SUPPLEMENTARY_CODE_POINT];
    private final BitSet opening = new BitSet();
    private final BitSet bracket = new BitSet();

    private LookAlikeCharacters() {
        try (BufferedReader lines = Resource.open("look-alikes.txt")) {
            lines.lines().filter(line -> !line.startsWith("#")).forEach(this::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void add(String line) {
        String[] words = line.split(" ", -1);
        int codePoint = Integer.parseInt(words[0], 16);
        List<String> texts = Arrays.stream(words, 1, words.length)
                .map(text -> text.replace(SPACE_SYMBOL, ' '))
                .toList();
        readings.put(codePoint, texts);
        if (codePoint < likeliest.length) {
            likeliest[codePoint] = texts.get(0);
        }
        if (texts.get(0).charAt(0) == OPENING) {
            opening.set(codePoint);
        }
        bracket.set(codePoint, BRACKETS.contains(texts.get(0)));
    }

    /**
     * The ASCII texts, in capitals, that a reader may take {@code codePoint} for, likeliest first; empty for most
     * characters.
     */
    static List<String> of(int codePoint) {
        return ALL.readings.getOrDefault(codePoint, List.of());
    }

    /** The first of these texts; {@code codePoint} itself if there is none. */
    static String likeliest(int codePoint) {
        if (codePoint >= ALL.likeliest.length) {
            List<String> readings = of(codePoint);
            return readings.isEmpty() ? Character.toString(codePoint) : readings.get(0);
        }
        @Nullable String reading = ALL.likeliest[codePoint];
        return reading == null ? Character.toString(codePoint) : reading;
    }

    /** Whether {@code codePoint} may pass for an opening angle bracket. */
    static boolean opens(int codePoint) {
        return ALL.opening.get(codePoint);
    }

    /** Whether the likeliest reading of {@code codePoint} is a bracket at which a token may begin. */
    static boolean isBracket(int codePoint) {
        return ALL.bracket.get(codePoint);
    }

    /** A loader of the text files beside this class. */
    static final class Resource {

        private Resource() {}

        static BufferedReader open(String name) {
            return new BufferedReader(new InputStreamReader(
                    Objects.requireNonNull(LookAlikeCharacters.class.getResourceAsStream(name), name),
                    StandardCharsets.UTF_8));
        }
    }
}
