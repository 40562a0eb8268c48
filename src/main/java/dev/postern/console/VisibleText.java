package dev.postern.console;

/** Makes everything in a text visible that a reader would not see, or that would turn the text around. */
final class VisibleText {

    private VisibleText() {}

    /** {@code text}, in which such a character is its number: {@code ⟦U+202E⟧}. */
    static String text(String text) {
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

    /** Line feeds and tabs are seen; joiners belong to letters and emoji. */
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
