package dev.postern.mapping.template;

import java.util.ArrayList;
import java.util.List;

/**
 * A template's text in the form that FreeMarker parses. A dollar sign before two braces is masked: {@code ${{a.b}}} is text
 * and a placeholder here, but would be a broken expression to FreeMarker.
 */
final class TemplateSource {

    /** The stand-in for a dollar sign; a noncharacter, which no text holds. */
    private static final char VEIL = '\uFDD0';

    private final String text;
    private final List<Integer> lines = new ArrayList<>();

    TemplateSource(String written) {
        this.text = written.replace("${{", VEIL + "{{");
        lines.add(0);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\n' || (c == '\r' && !(i + 1 < text.length() && text.charAt(i + 1) == '\n'))) {
                lines.add(i + 1);
            }
        }
    }

    static boolean isVeil(char c) {
        return c == VEIL;
    }

    static String unveiled(String part) {
        return part.replace(VEIL, '$');
    }

    String veiled() {
        return text;
    }

    /** The offset of the first {@code part} at or after a position; of the position itself if there is none. */
    int find(String part, TemplatePosition templatePosition, int atLeast) {
        int from = Math.max(atLeast, offset(templatePosition));
        int found = text.indexOf(part, from);
        return found < 0 ? from : found;
    }

    private int offset(TemplatePosition templatePosition) {
        int line = Math.min(templatePosition.line(), lines.size()) - 1;
        return Math.min(text.length(), lines.get(line) + templatePosition.column() - 1);
    }

    TemplatePosition place(int offset) {
        int line = lines.size() - 1;
        while (lines.get(line) > offset) {
            line--;
        }
        return new TemplatePosition(line + 1, offset - lines.get(line) + 1);
    }
}
