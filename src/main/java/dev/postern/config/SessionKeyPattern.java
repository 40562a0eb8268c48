package dev.postern.config;

import dev.postern.config.MappingSettings.TextField;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A pattern of the session keys that a mapping can produce, from its own template or the default key, as far as the
 * text shows.
 *
 * @param agent the id of the agent whose sessions they are; null if it depends on the request
 * @param text the key, or its template
 */
record SessionKeyPattern(@Nullable String agent, String text) {

    /** The pattern of {@code mapping}; empty if each of its runs has a session of its own, or if it makes no runs. */
    static Optional<SessionKeyPattern> of(MappingSettings mapping, AgentSettings agents, @Nullable String defaultKey) {
        if (mapping.action() != MappingSettings.Action.AGENT && mapping.transform() == null) {
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

    /** Whether the key depends on the payload. */
    boolean isTemplated() {
        return MappingTypes.isTemplated(text);
    }

    /**
     * Whether a payload can produce a key that is also one of {@code other}. The two texts have to differ, and the
     * beginning of {@code other} has to continue the beginning of this one.
     */
    boolean canCollideWith(SessionKeyPattern other) {
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

    /** The end of every key: the text after the last character that can end a placeholder or a directive. */
    private String ending() {
        return text.substring(1 + Math.max(text.lastIndexOf('}'), text.lastIndexOf('>')));
    }
}
