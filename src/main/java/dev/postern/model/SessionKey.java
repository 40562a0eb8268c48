package dev.postern.model;

import java.util.Optional;

/**
 * The name of a session among those of one agent: an agent's runs of one key never overlap and keep their order.
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

    /** Whether {@code text} can be a session's name. */
    public static boolean isKey(String text) {
        return !BlankText.isNothing(text)
                && text.length() <= MAX_LENGTH
                && text.chars().noneMatch(Character::isISOControl);
    }

    /** The key of {@code agentId}'s main session, where its events wait. */
    public static SessionKey mainOf(String agentId) {
        return new SessionKey(MAIN + agentId);
    }

    /** Whether {@code key} is one of Postern's own, which no request, template or script may name: {@code main}, and all that begin with {@code main:}. */
    public static boolean isReserved(String key) {
        return key.equals(MAIN_ALONE) || isMain(key);
    }

    /** Whether it is some agent's main session. */
    public static boolean isMain(String key) {
        return key.startsWith(MAIN);
    }

    /** Whose main session it is; empty where it is none. */
    public Optional<String> mainAgent() {
        return isMain(value) ? Optional.of(value.substring(MAIN.length())) : Optional.empty();
    }

    @Override
    public String toString() {
        return value;
    }
}
