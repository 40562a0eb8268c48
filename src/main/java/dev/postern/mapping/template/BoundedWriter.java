package dev.postern.mapping.template;

import java.io.Writer;

/** A writer that collects the text of a rendering, and stops the rendering if the text grows too long. */
final class BoundedWriter extends Writer {

    private final StringBuilder text;
    private final int max;

    BoundedWriter(int max) {
        this.max = max;
        this.text = new StringBuilder(Math.min(max, 256));
    }

    @Override
    public void write(char[] chars, int offset, int length) {
        checkLength(length);
        text.append(chars, offset, length);
    }

    @Override
    public void write(String part) {
        checkLength(part.length());
        text.append(part);
    }

    @Override
    public void write(String part, int offset, int length) {
        checkLength(length);
        text.append(part, offset, offset + length);
    }

    @Override
    public void write(int c) {
        checkLength(1);
        text.append((char) c);
    }

    private void checkLength(int length) {
        if (length > max - text.length()) {
            throw new BudgetExceededException("The text is longer than " + max + " characters.");
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}

    @Override
    public String toString() {
        return text.toString();
    }
}
