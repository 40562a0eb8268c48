package dev.postern.model;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The id of a session in the database, made of its agent and its session key. Sessions of two agents with one key have two
 * ids. The agent called {@code main} has the key itself, as every agent had before schema 13; others have
 * {@code agent:<agent>:<key>}. Senders and operators see agent and key.
 *
 * @param value the id; ids of agents have no colon, so no two pairs of agent and key have the same value
 */
public record SessionId(String value) {

    /** The longest id, in characters, of an agent that can be configured. */
    public static final int MAX_LENGTH = SessionKey.MAX_LENGTH + 72;

    private static final String MAIN = "main";
    private static final String QUALIFIED = "agent:";
    private static final Pattern PARTS = Pattern.compile(QUALIFIED + "([^:]+):(.+)", Pattern.DOTALL);

    /** The id of {@code agentId}'s session with {@code key}. */
    public static SessionId of(String agentId, SessionKey key) {
        boolean plain = key.mainAgent()
                .map(agentId::equals)
                .orElse(agentId.equals(MAIN) && !key.value().startsWith(QUALIFIED));
        return new SessionId(plain ? key.value() : QUALIFIED + agentId + ":" + key.value());
    }

    /** The id of {@code agentId}'s main session, where its events wait. */
    public static SessionId mainOf(String agentId) {
        return of(agentId, SessionKey.mainOf(agentId));
    }

    /** The id of the agent that the session belongs to. */
    public String agentId() {
        return qualified()
                .map(parts -> parts.group(1))
                .or(() -> new SessionKey(value).mainAgent())
                .orElse(MAIN);
    }

    /** The session's key among the sessions of its agent. */
    public SessionKey key() {
        return new SessionKey(qualified().map(parts -> parts.group(2)).orElse(value));
    }

    /** Whether it is its agent's main session. */
    public boolean isMain() {
        return SessionKey.isMain(value);
    }

    private Optional<Matcher> qualified() {
        return Optional.of(PARTS.matcher(value)).filter(parts -> parts.matches() && SessionKey.isKey(parts.group(2)));
    }

    @Override
    public String toString() {
        return value;
    }
}
