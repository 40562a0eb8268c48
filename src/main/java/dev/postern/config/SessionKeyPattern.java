package dev.postern.config;

import dev.postern.config.MappingSettings.TextField;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A pattern of the session keys that a mapping, or whoever names none, can come out with, as far as that is plain to see.
 *
 * @param agent the id of the agent whose sessions they are; null where that depends on the request
 * @param text the key, or the template of it
 */
record SessionKeyPattern(@Nullable String agent, String text) {

    /** The pattern of {@code mapping}; empty where each of its runs has a session of its own, or it makes none. */
    static Optional<SessionKeyPattern> of(
            MappingSettings mapping, Settings.Agents agents, @Nullable String defaultKey) {
        if (mapping.action() == MappingSettings.Action.WAKE && mapping.transform() == null) {
            return Optional.empty();
        }
        MappingSettings.@Nullable Text named = mapping.texts().get(TextField.AGENT_ID);
        MappingSettings.@Nullable Text key = mapping.texts().get(TextField.SESSION_KEY);
        @Nullable String text = key == null ? defaultKey : key.template();
        boolean open = named != null && named.isTemplated();
        @Nullable
        String agent = open
                ? null
                : agents.resolve(named == null ? null : named.template()).id();
        return Optional.ofNullable(text).map(known -> new SessionKeyPattern(agent, known));
    }

    /** Whether a payload has a say in the key. */
    boolean isTemplated() {
        return MappingTypes.isTemplated(text);
    }

    /**
     * Whether a payload can make one of these keys the same session as one of {@code other}'s, which is not written the same
     * and begins no less closely.
     */
    boolean canMeet(SessionKeyPattern other) {
        boolean sameAgent = agent == null || other.agent == null || agent.equals(other.agent);
        return sameAgent && !text.equals(other.text) && (other.isTemplated() ? overlaps(other) : covers(other.text));
    }

    private boolean covers(String key) {
        return key.length() >= beginning().length() + ending().length()
                && key.startsWith(beginning())
                && key.endsWith(ending());
    }

    private boolean overlaps(SessionKeyPattern other) {
        return other.beginning().startsWith(beginning())
                && (ending().endsWith(other.ending()) || other.ending().endsWith(ending()));
    }

    private String beginning() {
        return MappingTypes.literalBeginning(text);
    }

    /** What every key ends with: what follows the last character that can end a placeholder or a directive. */
    private String ending() {
        return text.substring(1 + Math.max(text.lastIndexOf('}'), text.lastIndexOf('>')));
    }
}
