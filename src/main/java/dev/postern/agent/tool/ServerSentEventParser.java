package dev.postern.agent.tool;

import java.util.function.Consumer;

/** The data of server-sent events, by the rules of the HTML standard, section 9.2.6; kinds, ids and delays are passed over. */
final class ServerSentEventParser {

    private static final String FIELD = "data:";

    private final Consumer<String> each;
    private final StringBuilder data = new StringBuilder();

    /** Hands on the data of each event. */
    ServerSentEventParser(Consumer<String> each) {
        this.each = each;
    }

    /**
     * Takes one line.
     *
     * @throws ToolServerException when the event is too long
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
