package dev.postern.model;

import java.util.Optional;

/**
 * The key of a session among the sessions of one agent. An agent's runs with one key never overlap and keep their order.
 *
 * @param value 1 to 255 characters, no control characters
 */
public record SessionKey(String value) {

    /** The longest key, in characters. */
    public static final int MAX_LENGTH = 255;

    private static final String MAIN = "main:";
    private static final String MAIN_ALONE = "main";

    public SessionKey {
        if (!isKey(value)) {
            throw new IllegalArgumentException("a session key has 1 to 255 characters and no control characters");
        }
    }

    /** Whether {@code text} is a valid session key. */
    public static boolean isKey(String text) {
        return !BlankText.isBlank(text)
                && text.length() <= MAX_LENGTH
                && text.chars().noneMatch(Character::isISOControl);
    }

    /** The key of {@code agentId}'s main session, where its events wait. */
    public static SessionKey mainOf(String agentId) {
        return new SessionKey(MAIN + agentId);
    }

    /**
     * Whether {@code key} is one of Postern's own: {@code main}, and all keys that begin with {@code main:}. No request,
     * template or script may name one.
     */
    public static boolean isReserved(String key) {
        return key.equals(MAIN_ALONE) || isMain(key);
    }

    /** Whether {@code key} is the key of some agent's main session. */
    public static boolean isMain(String key) {
        return key.startsWith(MAIN);
    }

    /** The id of the agent whose main session this is; empty if it is not a main session. */
    public Optional<String> mainAgent() {
        return isMain(value) ? Optional.of(value.substring(MAIN.length())) : Optional.empty();
    }

    @Override
    public String toString() {
        return value;
    }
}
