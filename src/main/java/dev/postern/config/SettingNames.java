package dev.postern.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Names of settings: joined to paths, spelled for the environment, and found again when mistyped. */
final class SettingNames {

    /** Longer names are not worth a guess. */
    private static final int MAX_LENGTH = 200;

    private SettingNames() {}

    static String join(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    /** {@code hooks.maxBodyBytes} as {@code POSTERN_HOOKS_MAXBODYBYTES}. */
    static String variable(String path) {
        StringBuilder name = new StringBuilder("POSTERN_");
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            name.append(plain ? Character.toUpperCase(c) : '_');
        }
        return name.toString();
    }

    /**
     * The known name that was most likely meant: one that ends in the same word, else one that takes few edits to reach.
     */
    static Optional<String> nearest(String wanted, Collection<String> known) {
        if (wanted.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        Comparator<String> byDistance = Comparator.<String>comparingInt(name -> distance(wanted, name))
                .thenComparing(Comparator.naturalOrder());
        Optional<String> sameWord = known.stream()
                .filter(name -> lastWord(name).equalsIgnoreCase(lastWord(wanted)))
                .min(byDistance);
        int reach = Math.max(2, wanted.length() / 3);
        return sameWord.or(() ->
                known.stream().filter(name -> distance(wanted, name) <= reach).min(byDistance));
    }

    private static String lastWord(String path) {
        return path.substring(path.lastIndexOf('.') + 1);
    }

    /** Insertions, deletions, changes and swaps of neighbours that lead from {@code a} to {@code b}, in any case. */
    static int distance(String a, String b) {
        String from = a.toLowerCase(Locale.ROOT);
        String to = b.toLowerCase(Locale.ROOT);
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
