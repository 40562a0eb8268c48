package dev.postern.model;

/** A text in which invisible characters, and those that change the direction of text, are replaced by visible codes. */
public final class VisibleText {

    private VisibleText() {}

    /** Replaces each such character of {@code text} by its number, such as {@code ⟦U+202E⟧}. */
    public static String text(String text) {
        int at = 0;
        while (at < text.length() && !isHidden(text.codePointAt(at))) {
            at += Character.charCount(text.codePointAt(at));
        }
        if (at == text.length()) {
            return text;
        }
        StringBuilder shown = new StringBuilder(text.length() + 16).append(text, 0, at);
        text.substring(at).codePoints().forEach(point -> {
            if (isHidden(point)) {
                shown.append(String.format("⟦U+%04X⟧", point));
            } else {
                shown.appendCodePoint(point);
            }
        });
        return shown.toString();
    }

    /** Whether a character is invisible. Line feeds and tabs are not; joiners are parts of letters and emoji. */
    private static boolean isHidden(int point) {
        if (point == '\n' || point == '\t' || point == 0x200C || point == 0x200D) {
            return false;
        }
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> true;
            default -> false;
        };
    }
}
