package dev.postern.model;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** A search for the name that a mistyped one was meant to be. Upper and lower case count as the same. */
public final class NearestName {

    /** Longer names are not worth a guess. */
    private static final int MAX_LENGTH = 200;

    private NearestName() {}

    /** The name of {@code known} that takes the fewest edits to reach; empty where all of them are too far from {@code wanted}. */
    public static Optional<String> of(String wanted, Collection<String> known) {
        int reach = Math.max(2, wanted.length() / 3);
        return known.stream().filter(name -> distance(wanted, name) <= reach).min(byDistance(wanted));
    }

    /** An order of names: the ones that take the fewest edits to reach first, then by the alphabet. */
    public static Comparator<String> byDistance(String wanted) {
        return Comparator.<String>comparingInt(name -> distance(wanted, name)).thenComparing(Comparator.naturalOrder());
    }

    /** The number of insertions, deletions, changes and swaps of two characters side by side that lead from one to the other. */
    public static int distance(String one, String other) {
        if (Math.max(one.length(), other.length()) > MAX_LENGTH) {
            return Integer.MAX_VALUE;
        }
        String from = one.toLowerCase(Locale.ROOT);
        String to = other.toLowerCase(Locale.ROOT);
        int[][] edits = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                edits[i][j] = i == 0 || j == 0 ? i + j : step(edits, from, to, i, j);
            }
        }
        return edits[from.length()][to.length()];
    }

    private static int step(int[][] edits, String from, String to, int i, int j) {
        int change = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
        int best = Math.min(edits[i - 1][j - 1] + change, Math.min(edits[i - 1][j], edits[i][j - 1]) + 1);
        boolean swapped =
                i > 1 && j > 1 && from.charAt(i - 1) == to.charAt(j - 2) && from.charAt(i - 2) == to.charAt(j - 1);
        return swapped ? Math.min(best, edits[i - 2][j - 2] + 1) : best;
    }
}
