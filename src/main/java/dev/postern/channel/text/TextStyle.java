package dev.postern.channel.text;

/**
 * A style of characters; styles that may contain others come first. A character may have several styles, stored as the bits
 * of one byte.
 */
enum TextStyle {
    LINK(1),
    BOLD(2),
    ITALIC(4),
    STRIKE(8),
    CODE(16);

    /** Bit of characters that are markup or an address rather than the reply's text; they must not be escaped. */
    static final int LITERAL = 64;

    private final int bit;

    TextStyle(int bit) {
        this.bit = bit;
    }

    int bit() {
        return bit;
    }

    boolean in(int marks) {
        return (marks & bit) != 0;
    }
}
