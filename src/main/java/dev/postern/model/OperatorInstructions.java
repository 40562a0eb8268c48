package dev.postern.model;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The operator's instructions for a turn, set in a mapping. No request can set them.
 *
 * @param instructions the operator's own words, which stand outside the boundary around untrusted content; null if there are
 *     none
 * @param tools the only tools of the agent that the turn may use; empty if it may use all of them
 * @param approve the tools whose calls need an operator's approval, in addition to those of the agent
 * @param fallbacks the models, {@code <provider>/<model>} each, that are asked in this order while the provider of the
 *     turn's model is down; empty for those of the agent
 * @param priority the priority of the turn among those of other hooks
 * @param mappingQueue the id of the mapping whose turns wait in a queue of their own, because its requests come on any path;
 *     null for a turn that waits with those of its hook
 */
public record OperatorInstructions(
        @Nullable String instructions,
        Optional<List<String>> tools,
        List<String> approve,
        Optional<List<String>> fallbacks,
        TurnPriority priority,
        @Nullable String mappingQueue) {

    /** No instructions, no limit on tools, the agent's fallbacks, and the normal priority. */
    public static final OperatorInstructions NONE =
            new OperatorInstructions(null, Optional.empty(), List.of(), Optional.empty(), TurnPriority.NORMAL, null);

    public OperatorInstructions {
        tools = tools.map(List::copyOf);
        approve = List.copyOf(approve);
        fallbacks = fallbacks.map(List::copyOf);
    }
}
