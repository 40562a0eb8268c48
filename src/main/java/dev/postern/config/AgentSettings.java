package dev.postern.config;

import dev.postern.model.Recipient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The settings of agents.
 *
 * @param defaults what counts for every agent that does not say otherwise
 * @param maxConcurrent the most turns at one time on this cluster node
 * @param list the agents, never empty; exactly one of them {@code isDefault}
 */
public record AgentSettings(Defaults defaults, int maxConcurrent, List<Agent> list) {

    public AgentSettings {
        list = List.copyOf(list);
    }

    /** The agent of requests that name no agent, or an unknown one. */
    public Agent defaultAgent() {
        return list.stream().filter(Agent::isDefault).findFirst().orElseThrow();
    }

    /** The agent called {@code id}, else the default agent. */
    public Agent resolve(@Nullable String id) {
        return list.stream().filter(agent -> agent.id().equals(id)).findFirst().orElseGet(this::defaultAgent);
    }

    /**
     * The defaults of agents.
     *
     * @param model {@code <provider>/<model>}
     * @param models the models that may be named; empty for any
     * @param maxAttempts the most attempts at a run that gets interrupted
     * @param retryFor the longest time that a run waits for a provider that is down; zero for no wait
     * @param fallbacks as in {@link Agent}
     * @param maxTokensPerTurn as in {@link Agent}
     */
    public record Defaults(
            String model,
            Optional<Models> models,
            @Nullable String thinking,
            Duration timeout,
            int maxAttempts,
            Duration retryFor,
            List<String> fallbacks,
            @Nullable Integer maxTokensPerTurn) {

        public Defaults {
            fallbacks = List.copyOf(fallbacks);
        }
    }

    /**
     * The models that may be named.
     *
     * @param ids {@code <provider>/<model>} each
     * @param aliases short name to id; each such id is in {@code ids}
     */
    public record Models(List<String> ids, Map<String, String> aliases) {

        public Models {
            ids = List.copyOf(ids);
            aliases = Map.copyOf(aliases);
        }
    }

    /**
     * An agent, with its missing settings taken from {@link Defaults}.
     *
     * @param workspace the directory of {@code AGENTS.md} and {@code HEARTBEAT.md}; absolute, need not exist
     * @param fallbacks the models, {@code <provider>/<model>} each, that are asked in this order while the provider of the
     *     model is down
     * @param maxTokensPerTurn the most tokens of a turn, in and out, before its model may call no more tools; null for no
     *     limit
     * @param tools the tools that it may use
     */
    public record Agent(
            String id,
            boolean isDefault,
            Path workspace,
            String model,
            Optional<Models> models,
            @Nullable String thinking,
            List<String> fallbacks,
            @Nullable Integer maxTokensPerTurn,
            Tools tools,
            Heartbeat heartbeat) {

        public Agent {
            fallbacks = List.copyOf(fallbacks);
        }

        /**
         * The models that are asked next while {@code model} is down, in their order.
         *
         * @param own the names of the mapping's own fallbacks, which replace the agent's; empty if it names none
         */
        public List<String> fallbacks(Optional<List<String>> own, String model) {
            return own.map(this::allowed).orElse(fallbacks).stream()
                    .filter(each -> !each.equals(model))
                    .toList();
        }

        /** The ids of the {@code names} of models, or aliases, that it may use. */
        public List<String> allowed(List<String> names) {
            return models.map(allowed -> names.stream()
                            .map(name -> allowed.aliases().getOrDefault(name, name))
                            .filter(allowed.ids()::contains)
                            .toList())
                    .orElse(names);
        }

        /**
         * The agent's thinking level on a model that knows {@code levels}; null, the model's own default, if the model
         * lacks it.
         */
        public @Nullable String thinkingOn(List<String> levels) {
            return thinking != null && levels.contains(thinking) ? thinking : null;
        }
    }

    /**
     * The tools that an agent may use.
     *
     * @param mcp ids of the tool servers it may use
     * @param allow the only tools of these servers that it may use, each {@code <tool>} or {@code <server>/<tool>};
     *     empty for all
     * @param maxCalls the most tool calls of one turn
     * @param approval which calls need an operator's approval
     */
    public record Tools(List<String> mcp, Optional<List<String>> allow, int maxCalls, Approval approval) {

        public Tools {
            mcp = List.copyOf(mcp);
            allow = allow.map(List::copyOf);
        }
    }

    /**
     * The calls of an agent's tools that need an operator's approval.
     *
     * @param tools the tools, each {@code <tool>} or {@code <server>/<tool>}; none if only mappings name some
     * @param within how long an operator may take
     * @param askOn the recipient of the questions; null if the console alone shows them
     */
    public record Approval(List<String> tools, Duration within, @Nullable Recipient askOn) {

        public Approval {
            tools = List.copyOf(tools);
        }
    }

    /**
     * The heartbeat settings of an agent.
     *
     * @param every the time between periodic heartbeats; zero for none
     * @param target the channel of a heartbeat's reply: {@code last}, a channel's id, or {@code none}
     * @param activeHours null when every hour is active
     */
    public record Heartbeat(Duration every, String target, @Nullable String to, @Nullable ActiveHours activeHours) {

        /** The {@code target} of heartbeats whose replies are not delivered. */
        public static final String NO_TARGET = "none";

        /** The recipient of a heartbeat's reply; empty for {@link #NO_TARGET}. */
        public Optional<Recipient> recipient() {
            return target.equals(NO_TARGET) ? Optional.empty() : Optional.of(new Recipient(target, to));
        }
    }

    /**
     * The hours of periodic heartbeats: from {@code start} (inclusive) to {@code end} (exclusive), over midnight if
     * {@code end} is earlier.
     */
    public record ActiveHours(LocalTime start, LocalTime end, ZoneId timezone) {}
}
