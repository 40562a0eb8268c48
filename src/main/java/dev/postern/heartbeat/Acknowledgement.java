package dev.postern.heartbeat;

/**
 * An acknowledgement: a reply without content for a recipient. It is {@code NO_REPLY}, or {@code HEARTBEAT_OK} at its
 * beginning or end with at most 300 further characters. Markdown's signs for emphasis and code around the reply don't
 * count.
 */
public final class Acknowledgement {

    private static final String NO_REPLY = "NO_REPLY";
    private static final String HEARTBEAT_OK = "HEARTBEAT_OK";
    private static final int MAX_FURTHER = 300;
    private static final String MARKUP = "*_`~";

    private Acknowledgement() {}

    /** True when {@code reply} is only an acknowledgement, which isn't delivered. A blank reply counts as one. */
    public static boolean is(String reply) {
        String text = bare(reply);
        if (text.isEmpty() || text.equals(NO_REPLY)) {
            return true;
        }
        if (text.startsWith(HEARTBEAT_OK)) {
            return isFurther(text.substring(HEARTBEAT_OK.length()), 0);
        }
        return text.endsWith(HEARTBEAT_OK) && isFurther(text.substring(0, text.length() - HEARTBEAT_OK.length()), -1);
    }

    /**
     * True when {@code rest} is short enough, and is separate from the sign beside it: no letter, digit or underscore
     * joins them.
     */
    private static boolean isFurther(String rest, int end) {
        if (rest.isEmpty()) {
            return true;
        }
        char neighbour = rest.charAt(end < 0 ? rest.length() - 1 : 0);
        return !Character.isLetterOrDigit(neighbour)
                && neighbour != '_'
                && rest.strip().length() <= MAX_FURTHER;
    }

    private static String bare(String reply) {
        int start = 0;
        int end = reply.length();
        while (start < end && isAround(reply.charAt(start))) {
            start++;
        }
        while (end > start && isAround(reply.charAt(end - 1))) {
            end--;
        }
        return reply.substring(start, end);
    }

    private static boolean isAround(char c) {
        return Character.isWhitespace(c) || MARKUP.indexOf(c) >= 0;
    }
}
