package dev.postern.channel.text;

/** What a run of characters is shown as, those that may hold others first. A character may have several; they are kept as the bits of one byte. */
enum TextStyle {
    LINK(1),
    BOLD(2),
    ITALIC(4),
    STRIKE(8),
    CODE(16);

    /** Of characters that are markup or an address, and not the text of the reply: nothing in them is to be escaped. */
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
