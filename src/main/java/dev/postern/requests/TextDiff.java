package dev.postern.requests;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import com.github.difflib.patch.Patch;
import java.util.ArrayList;
import java.util.List;

/** A unified diff of two texts, bounded in time and size. */
final class TextDiff {

    private static final int CONTEXT = 3;

    /** The most lines of each text that are compared, from shortly before the first difference on. */
    private static final int MOST_LINES = 1_000;

    /** The most lines of a diff. */
    private static final int MOST_SHOWN = 400;

    private static final int LONGEST_LINE = 2_000;

    private TextDiff() {}

    /** The lines of the diff; empty if the texts are equal. */
    static List<String> lines(String before, String after) {
        List<String> old = lines(before);
        List<String> now = lines(after);
        int start = Math.max(0, firstDifference(old, now) - CONTEXT);
        boolean isLong = Math.max(old.size(), now.size()) > MOST_LINES;
        List<String> oldPart = isLong ? part(old, start) : old;
        List<String> nowPart = isLong ? part(now, start) : now;
        Patch<String> patch = DiffUtils.diff(oldPart, nowPart);
        List<String> diff = UnifiedDiffUtils.generateUnifiedDiff("before", "after", oldPart, patch, CONTEXT);
        List<String> shown = new ArrayList<>();
        if (isLong) {
            shown.add("(" + MOST_LINES + " lines are compared, from line " + (start + 1) + " on)");
        }
        diff.stream().limit(MOST_SHOWN).map(TextDiff::cut).forEach(shown::add);
        if (diff.size() > MOST_SHOWN) {
            shown.add("(" + (diff.size() - MOST_SHOWN) + " more lines of this diff are not shown)");
        }
        return shown;
    }

    private static List<String> lines(String text) {
        return List.of(text.split("\n", -1));
    }

    private static int firstDifference(List<String> old, List<String> now) {
        int at = 0;
        while (at < old.size() && at < now.size() && old.get(at).equals(now.get(at))) {
            at++;
        }
        return at;
    }

    private static List<String> part(List<String> lines, int start) {
        return lines.subList(Math.min(start, lines.size()), Math.min(start + MOST_LINES, lines.size()));
    }

    private static String cut(String line) {
        return line.length() > LONGEST_LINE
                ? line.substring(0, LONGEST_LINE) + "… (" + line.length() + " characters)"
                : line;
    }
}
