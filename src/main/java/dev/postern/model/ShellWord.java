package dev.postern.model;

/** A word of a shell's command that an operator can copy. */
public final class ShellWord {

    private ShellWord() {}

    /** {@code text} as one word: in quotation marks where a shell would read it as something else. */
    public static String of(Object text) {
        String word = text.toString();
        return word.matches("[\\w./@%+=:,-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
