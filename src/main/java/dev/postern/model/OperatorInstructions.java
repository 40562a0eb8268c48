package dev.postern.model;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an operator's mapping tells the agent beside the text it hands over. No request can say any of it.
 *
 * @param instructions the operator's own words, which stand outside the boundary around a stranger's text
 * @param tools the only tools of the agent's that the turn may use; empty when it may use all of them
 */
public record OperatorInstructions(@Nullable String instructions, Optional<List<String>> tools) {

    /** Nothing beside the text. */
    public static final OperatorInstructions NONE = new OperatorInstructions(null, Optional.empty());

    public OperatorInstructions {
        tools = tools.map(List::copyOf);
    }
}
