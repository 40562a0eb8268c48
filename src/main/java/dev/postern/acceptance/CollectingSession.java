package dev.postern.acceptance;

import dev.postern.model.SessionId;

/**
 * A session key that stands in a run or event for its session while its group is open. No session has that key, because it
 * begins with a control character. So nothing finds the row in its session before the group closes.
 */
final class CollectingSession {

    private static final String PREFIX = "\u001fcollecting\u001f";

    private CollectingSession() {}

    /** The key that stands for {@code session}. */
    static String of(String session) {
        return PREFIX + session;
    }

    /** Whether {@code stored} stands for a session. */
    static boolean is(String stored) {
        return stored.startsWith(PREFIX);
    }

    /** The session in a row: {@code stored} itself, or the one that it stands for. */
    static SessionId read(String stored) {
        return new SessionId(is(stored) ? stored.substring(PREFIX.length()) : stored);
    }
}
