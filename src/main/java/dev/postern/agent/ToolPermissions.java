package dev.postern.agent;

import dev.postern.config.Settings;
import java.util.List;
import java.util.Optional;

/**
 * What tools a turn may use: those of the agent's servers, narrowed by the agent's own list and by that of the mapping
 * that asked for the turn.
 *
 * @param servers ids below {@code mcp}
 * @param agent the only ones that the agent may use, each {@code <tool>} or {@code <server>/<tool>}; empty for all
 * @param turn the only ones of these that the turn may use, likewise
 * @param maxCalls how many calls at most
 */
public record ToolPermissions(
        List<String> servers, Optional<List<String>> agent, Optional<List<String>> turn, int maxCalls) {

    /** What {@code agent} may use in a turn that is narrowed to {@code turn}; empty where it is not. */
    public static ToolPermissions of(Settings.Tools agent, Optional<List<String>> turn) {
        return new ToolPermissions(agent.mcp(), agent.allow(), turn, agent.maxCalls());
    }

    /** No tools. */
    public static final ToolPermissions NONE = new ToolPermissions(List.of(), Optional.empty(), Optional.empty(), 0);

    public ToolPermissions {
        servers = List.copyOf(servers);
        agent = agent.map(List::copyOf);
        turn = turn.map(List::copyOf);
    }

    /** True where no server need be asked for its tools. */
    public boolean isNone() {
        return servers.isEmpty()
                || agent.filter(List::isEmpty).isPresent()
                || turn.filter(List::isEmpty).isPresent();
    }

    /** True where the turn may use {@code tool} of {@code server}. */
    public boolean permits(String server, String tool) {
        return servers.contains(server) && isNamed(agent, server, tool) && isNamed(turn, server, tool);
    }

    private static boolean isNamed(Optional<List<String>> names, String server, String tool) {
        return names.isEmpty() || names.get().contains(tool) || names.get().contains(server + "/" + tool);
    }
}
