package dev.postern.model;

/** An excerpt: the beginning of a long text. */
public final class Excerpt {

    private Excerpt() {}

    /** The first {@code max} characters of {@code text}; the last of them is an ellipsis if something is left out. */
    public static String of(String text, int max) {
        if (text.length() <= max) {
            return text;
        }
        int end = max - 1;
        return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + "…";
    }
}
