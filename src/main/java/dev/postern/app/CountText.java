package dev.postern.app;

/** A number with a noun, in text for a person. */
final class CountText {

    private CountText() {}

    /** {@code 1 mail}, {@code 2 mails}. */
    static String of(long number, String thing) {
        return number + " " + thing + (number == 1 ? "" : "s");
    }
}
