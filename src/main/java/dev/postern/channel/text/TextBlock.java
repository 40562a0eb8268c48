package dev.postern.channel.text;

import org.jspecify.annotations.Nullable;

/** A block of a reply: a paragraph, a list, a quote or a piece of code. */
final class TextBlock {

    enum Kind {
        TEXT,
        QUOTE,
        /** Code without a fence, and a table with aligned columns. */
        CODE,
        /** Code within a fence. */
        FENCED_CODE
    }

    private final Kind kind;
    private final String language;
    private final String text;
    private final byte[] marks;
    private final @Nullable Link[] links;

    /**
     * @param language language of code, as given behind its fence; may be empty
     * @param text the visible text, without markup
     * @param marks style bits of each character
     * @param links link of each character
     */
    TextBlock(Kind kind, String language, String text, byte[] marks, @Nullable Link[] links) {
        this.kind = kind;
        this.language = language;
        this.text = text;
        this.marks = marks;
        this.links = links;
    }

    Kind kind() {
        return kind;
    }

    boolean isCode() {
        return kind == Kind.CODE || kind == Kind.FENCED_CODE;
    }

    String language() {
        return language;
    }

    String text() {
        return text;
    }

    int length() {
        return text.length();
    }

    int marksAt(int index) {
        return marks[index];
    }

    @Nullable
    Link linkAt(int index) {
        return links[index];
    }

    /** Whether the characters at {@code one} and {@code other} have the same styles and the same link. */
    boolean alike(int one, int other) {
        return marks[one] == marks[other] && links[one] == links[other];
    }

    /** Whether {@code [from, to)} contains a visible character. */
    boolean isVisible(int from, int to) {
        return firstVisible(from, to) < to;
    }

    /** Index of the first visible character in {@code [from, to)}, or {@code to}. */
    int firstVisible(int from, int to) {
        for (int i = from; i < to; i += Character.charCount(text.codePointAt(i))) {
            if (CharacterClasses.isVisible(text.codePointAt(i))) {
                return i;
            }
        }
        return to;
    }
}
