package dev.postern.channel.text;

import java.util.ArrayList;
import java.util.List;

/** A reply as the messages that it is sent as. */
public final class Parts {

    private Parts() {}

    /**
     * The parts of {@code reply}, in order and at least one.
     *
     * @param reply Markdown, as models write it
     * @param limit how long a part may be, in UTF-16 units; at least 100
     */
    public static List<String> of(String reply, Markup markup, int limit) {
        List<String> parts = new ArrayList<>();
        int from = 0;
        while (reply.length() - from > limit) {
            int to = from + limit - (Character.isHighSurrogate(reply.charAt(from + limit - 1)) ? 1 : 0);
            parts.add(reply.substring(from, to));
            from = to;
        }
        parts.add(reply.substring(from));
        return List.copyOf(parts);
    }
}
