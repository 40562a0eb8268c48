package dev.postern.channel.text;

/**
 * The points at which a block may be split. At a split point the characters before the index go into one part, and the
 * rest into others.
 */
final class SplitPoints {

    private SplitPoints() {}

    /** The last line end up to {@code reach}, or else the last gap between words; {@code from} if there is none. */
    static int gap(TextBlock block, int from, int reach) {
        String text = block.text();
        boolean code = block.isCode();
        int lineEnd = reach < text.length() ? text.lastIndexOf('\n', reach) : text.lastIndexOf('\n', reach - 1);
        if (lineEnd > from && (code || lineEnd - from >= (reach - from) / 2)) {
            return lineEnd;
        }
        int first = block.firstVisible(from, reach);
        for (int i = Math.min(reach, text.length() - 1); i > first; i--) {
            if (CharacterClasses.isGap(text, i)) {
                return i;
            }
        }
        return from;
    }

    /**
     * The best split point in {@code (from, reach]}: a gap, unless the word behind it is longer than a part and must be cut
     * anyway; then before an address, else between two characters as a reader counts them.
     */
    static int any(TextBlock block, int from, int reach, int limit) {
        int gap = gap(block, from, reach);
        if (gap > from && (gap - from > (reach - from) / 2 || isWordWithin(block, gap + 1, limit))) {
            return gap;
        }
        Link link = reach < block.length() ? block.linkAt(reach) : null;
        if (link != null && link.isShown()) {
            int start = reach;
            while (start > from && block.linkAt(start - 1) == link) {
                start--;
            }
            if (start > from) {
                return start;
            }
        }
        int end = Math.min(block.length(), reach + limit);
        int boundary = CharacterClasses.lastBoundary(block.text(), from, reach, end);
        if (boundary > from) {
            return boundary;
        }
        boolean inPair = reach > from + 1
                && reach < block.length()
                && Character.isSurrogatePair(
                        block.text().charAt(reach - 1), block.text().charAt(reach));
        return inPair ? reach - 1 : reach;
    }

    private static boolean isWordWithin(TextBlock block, int from, int limit) {
        int end = Math.min(block.length(), from + limit);
        for (int i = from; i < end; i++) {
            if (CharacterClasses.isGap(block.text(), i)) {
                return true;
            }
        }
        return end == block.length();
    }

    /** The end of the text before the split point {@code to}, without white space. */
    static int end(TextBlock block, int from, int to) {
        int end = to;
        while (end > from && !block.isCode() && CharacterClasses.isGap(block.text(), end - 1)) {
            end--;
        }
        return end;
    }

    /** The index at which the block goes on after the split point {@code to}; white space is skipped, except in code. */
    static int next(TextBlock block, int to) {
        int next = to;
        if (block.isCode()) {
            return next < block.length() && block.text().charAt(next) == '\n' ? next + 1 : next;
        }
        while (next < block.length() && CharacterClasses.isGap(block.text(), next)) {
            next++;
        }
        return next;
    }
}
