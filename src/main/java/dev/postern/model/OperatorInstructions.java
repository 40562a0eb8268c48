package dev.postern.model;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The operator's additions, set in a mapping, to the text that an agent gets. No request can set them.
 *
 * @param instructions the operator's own words, which stand outside the boundary around untrusted content; null if there are
 *     none
 * @param tools the only tools of the agent that the turn may use; empty if it may use all of them
 * @param fallbacks the models, {@code <provider>/<model>} each, that are asked in this order while the provider of the
 *     turn's model is down; empty for those of the agent
 */
public record OperatorInstructions(
        @Nullable String instructions, Optional<List<String>> tools, Optional<List<String>> fallbacks) {

    /** No instructions, no limit on tools, and the agent's fallbacks. */
    public static final OperatorInstructions NONE = new OperatorInstructions(null, Optional.empty(), Optional.empty());

    public OperatorInstructions {
        tools = tools.map(List::copyOf);
        fallbacks = fallbacks.map(List::copyOf);
    }
}
