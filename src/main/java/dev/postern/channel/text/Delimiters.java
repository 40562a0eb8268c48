package dev.postern.channel.text;

/** The markup before and after a span of characters. */
record Delimiters(String open, String close) {

    static final Delimiters NONE = new Delimiters("", "");

    static Delimiters both(String mark) {
        return new Delimiters(mark, mark);
    }

    int length() {
        return open.length() + close.length();
    }

    boolean isNone() {
        return open.isEmpty() && close.isEmpty();
    }
}
