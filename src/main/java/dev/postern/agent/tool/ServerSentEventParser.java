package dev.postern.agent.tool;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A parser of server-sent events that passes on their data, by the rules of the HTML standard, section 9.2.6. It notes their
 * ids and delays, and ignores their types.
 */
final class ServerSentEventParser {

    private final StreamPosition position;
    private final Consumer<String> each;
    private final StringBuilder data = new StringBuilder();
    private @Nullable String id;

    /** Creates a parser that passes the data of each event to {@code each}, and then notes the event in {@code position}. */
    ServerSentEventParser(StreamPosition position, Consumer<String> each) {
        this.position = position;
        this.each = each;
    }

    /**
     * Parses one line.
     *
     * @throws ToolServerException if the event is too long
     */
    void line(String line) {
        if (line.isEmpty()) {
            end();
            return;
        }
        int colon = line.indexOf(':');
        String field = colon < 0 ? line : line.substring(0, colon);
        int from = colon < 0 ? line.length() : line.startsWith(" ", colon + 1) ? colon + 2 : colon + 1;
        switch (field) {
            case "data" -> addData(line, from);
            case "id" -> id = line.substring(from);
            case "retry" -> position.delay(line.substring(from));
            default -> {}
        }
    }

    private void end() {
        String whole = data.toString();
        data.setLength(0);
        if (!whole.isEmpty()) {
            each.accept(whole);
        }
        if (id != null) {
            position.reach(id);
        }
    }

    private void addData(String line, int from) {
        if (data.length() + line.length() - from > LineSplitter.MAX_MESSAGE_BYTES) {
            throw LineSplitter.tooLong();
        }
        if (!data.isEmpty()) {
            data.append('\n');
        }
        data.append(line, from, line.length());
    }
}
