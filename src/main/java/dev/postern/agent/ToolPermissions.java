package dev.postern.agent;

import dev.postern.config.AgentSettings;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The permissions of a turn to use tools: those of the agent's servers, narrowed by the agent's own list and by the list of
 * the mapping that asked for the turn.
 *
 * @param servers ids below {@code mcp}
 * @param agent the only tools that the agent may use, each {@code <tool>} or {@code <server>/<tool>}; empty for all
 * @param turn the only ones of these that the turn may use, in the same form; empty for all
 * @param approve the tools whose calls need an operator's approval, in the same form
 * @param maxCalls the most calls in a turn
 */
public record ToolPermissions(
        List<String> servers,
        Optional<List<String>> agent,
        Optional<List<String>> turn,
        List<String> approve,
        int maxCalls) {

    /**
     * The permissions of {@code agent} in a turn.
     *
     * @param turn the only tools of the turn; empty if it is not narrowed
     * @param approve the tools that need approval in the turn, in addition to those of the agent
     */
    public static ToolPermissions of(AgentSettings.Tools agent, Optional<List<String>> turn, List<String> approve) {
        List<String> all = Stream.concat(agent.approval().tools().stream(), approve.stream())
                .distinct()
                .toList();
        return new ToolPermissions(agent.mcp(), agent.allow(), turn, all, agent.maxCalls());
    }

    /** No tools. */
    public static final ToolPermissions NONE =
            new ToolPermissions(List.of(), Optional.empty(), Optional.empty(), List.of(), 0);

    public ToolPermissions {
        servers = List.copyOf(servers);
        agent = agent.map(List::copyOf);
        turn = turn.map(List::copyOf);
        approve = List.copyOf(approve);
    }

    /** Whether no server has to be asked for its tools. */
    public boolean isNone() {
        return servers.isEmpty()
                || agent.filter(List::isEmpty).isPresent()
                || turn.filter(List::isEmpty).isPresent();
    }

    /** Whether the turn may use {@code tool} of {@code server}. */
    public boolean permits(String server, String tool) {
        return servers.contains(server) && isAllowed(agent, server, tool) && isAllowed(turn, server, tool);
    }

    /** Whether a call of {@code tool} of {@code server} needs an operator's approval. */
    public boolean needsApproval(String server, String tool) {
        return approve.contains(tool) || approve.contains(qualified(server, tool));
    }

    /** A server's tool may have a name with a slash, which must not pass as the tool of another server. */
    private static boolean isAllowed(Optional<List<String>> names, String server, String tool) {
        return names.isEmpty()
                || (tool.indexOf('/') < 0 && names.get().contains(tool))
                || names.get().contains(qualified(server, tool));
    }

    private static String qualified(String server, String tool) {
        return server + "/" + tool;
    }
}
