package dev.postern.mapping.script;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A map from the lines of translated code to the source: a source map (revision 3) with only the first position on each
 * line. Rhino reports the line of an error, not its column. The translation puts each statement on a line of its own, so
 * the column is that of the statement.
 */
public final class SourceLineMap {

    private static final String DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    private final List<@Nullable Place> places;

    private SourceLineMap(List<@Nullable Place> places) {
        this.places = places;
    }

    /** A position in a file as written; line and column count from 1. */
    public record Place(int line, int column) {}

    /** The map for code that is as written. */
    public static SourceLineMap same() {
        return new SourceLineMap(List.of());
    }

    /**
     * Parses the {@code mappings} of a source map.
     *
     * @param helperLines the lines at the beginning that have the translation's own functions, which no source line stands for
     */
    public static SourceLineMap of(String mappings, int helperLines) {
        List<@Nullable Place> places = new ArrayList<>();
        int sourceLine = 0;
        int sourceColumn = 0;
        Place last = null;
        for (String line : mappings.split(";", -1)) {
            boolean first = true;
            for (String segment : line.split(",", -1)) {
                List<Integer> values = numbers(segment);
                if (values.size() >= 4) {
                    sourceLine += values.get(2);
                    sourceColumn += values.get(3);
                    last = first ? new Place(sourceLine + 1, sourceColumn + 1) : last;
                    first = false;
                }
            }
            places.add(first && places.size() < helperLines ? null : last);
        }
        return new SourceLineMap(places);
    }

    /** The position in the source of a line, from 1, of the translated code; null if the translation added the line. */
    public @Nullable Place written(int line) {
        if (places.isEmpty()) {
            return new Place(line, 1);
        }
        return places.get(Math.max(0, Math.min(line, places.size()) - 1));
    }

    private static List<Integer> numbers(String segment) {
        List<Integer> values = new ArrayList<>(5);
        int value = 0;
        int shift = 0;
        for (int i = 0; i < segment.length(); i++) {
            int digit = DIGITS.indexOf(segment.charAt(i));
            value |= (digit & 31) << shift;
            shift += 5;
            if ((digit & 32) == 0) {
                values.add((value & 1) == 0 ? value >> 1 : -(value >> 1));
                value = 0;
                shift = 0;
            }
        }
        return values;
    }
}
