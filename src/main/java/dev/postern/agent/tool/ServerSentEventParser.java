package dev.postern.agent.tool;

import java.util.function.Consumer;

/**
 * A parser of server-sent events that passes on their data, by the rules of the HTML standard, section 9.2.6. It ignores
 * event types, ids and delays.
 */
final class ServerSentEventParser {

    private static final String FIELD = "data:";

    private final Consumer<String> each;
    private final StringBuilder data = new StringBuilder();

    /** Creates a parser that passes the data of each event to {@code each}. */
    ServerSentEventParser(Consumer<String> each) {
        this.each = each;
    }

    /**
     * Parses one line.
     *
     * @throws ToolServerException if the event is too long
     */
    void line(String line) {
        if (line.isEmpty()) {
            String whole = data.toString();
            data.setLength(0);
            if (!whole.isEmpty()) {
                each.accept(whole);
            }
        } else if (line.startsWith(FIELD)) {
            int from = line.startsWith(" ", FIELD.length()) ? FIELD.length() + 1 : FIELD.length();
            if (data.length() + line.length() - from > LineSplitter.MAX_MESSAGE_BYTES) {
                throw LineSplitter.tooLong();
            }
            if (!data.isEmpty()) {
                data.append('\n');
            }
            data.append(line, from, line.length());
        }
    }
}
