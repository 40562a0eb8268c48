package dev.postern.channel.text;

/** What stands before and after a run of characters. */
record Wrap(String open, String close) {

    static final Wrap NONE = new Wrap("", "");

    static Wrap both(String mark) {
        return new Wrap(mark, mark);
    }

    int length() {
        return open.length() + close.length();
    }

    boolean isNone() {
        return open.isEmpty() && close.isEmpty();
    }
}
