package dev.postern.agent.tool;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** A splitter that cuts a stream of bytes into lines of UTF-8, none of them longer than the longest message. */
final class LineSplitter {

    /** The longest message that a server may send, in bytes. */
    static final int MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

    private final Consumer<String> each;
    private ByteArrayOutputStream begun = new ByteArrayOutputStream();

    /** Creates a splitter that passes each line, without its end, to {@code each}. */
    LineSplitter(Consumer<String> each) {
        this.each = each;
    }

    /**
     * Adds the first {@code length} bytes of {@code bytes}.
     *
     * @throws ToolServerException if a line is too long
     */
    void take(byte[] bytes, int length) {
        int from = 0;
        for (int at = 0; at < length; at++) {
            if (bytes[at] == '\n') {
                add(bytes, from, at);
                end();
                from = at + 1;
            }
        }
        add(bytes, from, length);
    }

    private void add(byte[] bytes, int from, int to) {
        if (begun.size() + (to - from) > MAX_MESSAGE_BYTES) {
            throw tooLong();
        }
        begun.write(bytes, from, to - from);
    }

    /** Ends a line; also to be called at the end of a stream that lacks its last line's end. */
    void end() {
        String line = begun.toString(StandardCharsets.UTF_8);
        begun = new ByteArrayOutputStream();
        each.accept(line.endsWith("\r") ? line.substring(0, line.length() - 1) : line);
    }

    static ToolServerException tooLong() {
        return new ToolServerException(
                ToolServerException.Scope.CONNECTION, "sent a message of more than " + MAX_MESSAGE_BYTES + " bytes");
    }
}
