package dev.postern.channel.text;

import org.jspecify.annotations.Nullable;

/** A stretch of a reply that stands by itself: a paragraph, a list, a quote, a piece of code. */
final class TextBlock {

    enum Kind {
        TEXT,
        QUOTE,
        CODE
    }

    private final Kind kind;
    private final String language;
    private final String text;
    private final byte[] marks;
    private final @Nullable Link[] links;

    /**
     * @param language of code: what stands behind its fence, may be empty
     * @param text what is read, without markup
     * @param marks the bits of each character's marks
     * @param links each character's link
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

    /** Whether the characters at {@code one} and {@code other} look the same and lead to the same. */
    boolean alike(int one, int other) {
        return marks[one] == marks[other] && links[one] == links[other];
    }

    /** Whether {@code [from, to)} has something to read. */
    boolean isVisible(int from, int to) {
        return firstVisible(from, to) < to;
    }

    /** Where the first character of {@code [from, to)} is that can be read, or {@code to}. */
    int firstVisible(int from, int to) {
        for (int i = from; i < to; i += Character.charCount(text.codePointAt(i))) {
            if (CharacterClasses.isVisible(text.codePointAt(i))) {
                return i;
            }
        }
        return to;
    }
}
