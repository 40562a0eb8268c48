package dev.postern.config;

import dev.postern.model.Recipient;
import dev.postern.model.Secret;
import dev.postern.model.ThinkingLevels;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The whole effective configuration: checked, with every default filled in and every secret resolved. The setting that
 * a component stands for has the component's name; {@code webapp-config/postern.yaml} says what each one does. Maps by
 * id keep the order of the configuration file.
 *
 * @param home the home directory, absolute
 * @param providers {@code offline} is always among them
 */
public record Settings(
        Path home,
        HookSettings hooks,
        Agents agents,
        Map<String, Provider> providers,
        Map<String, McpServer> mcp,
        Map<String, Channel> channels,
        Deliveries deliveries,
        Database database,
        Retention retention,
        ServerSettings server,
        Access console,
        Access metrics) {

    public Settings {
        providers = inOrder(providers);
        mcp = inOrder(mcp);
        channels = inOrder(channels);
    }

    /**
     * The levels of thinking that may be named for {@code model}.
     *
     * @param model {@code <provider>/<model>}, its provider configured or not
     */
    public List<String> thinkingLevels(String model) {
        return thinkingLevels(providers, model);
    }

    static List<String> thinkingLevels(Map<String, Provider> providers, String model) {
        Provider provider = providers.get(model.split("/", 2)[0]);
        return provider == null ? ThinkingLevels.LEVELS : provider.thinkingLevels();
    }

    private static <V> Map<String, V> inOrder(Map<String, V> map) {
        return Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }

    /**
     * Who acts.
     *
     * @param list never empty; exactly one is {@code isDefault}
     * @param maxConcurrent turns at one time on this node
     */
    public record Agents(Defaults defaults, int maxConcurrent, List<Agent> list) {

        public Agents {
            list = List.copyOf(list);
        }

        /** The agent that takes what names no agent, or one that is not here. */
        public Agent defaultAgent() {
            return list.stream().filter(Agent::isDefault).findFirst().orElseThrow();
        }

        /** The agent called {@code id}, or the default agent. */
        public Agent resolve(@Nullable String id) {
            return list.stream()
                    .filter(agent -> agent.id().equals(id))
                    .findFirst()
                    .orElseGet(this::defaultAgent);
        }
    }

    /**
     * What an agent has that doesn't say otherwise.
     *
     * @param model {@code <provider>/<model>}
     * @param models empty when any model may be named
     * @param maxAttempts how often an interrupted run is begun at most
     */
    public record Defaults(
            String model, Optional<Models> models, @Nullable String thinking, Duration timeout, int maxAttempts) {}

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
     * One agent, with what it doesn't say itself taken from {@link Defaults}.
     *
     * @param workspace holds {@code AGENTS.md} and {@code HEARTBEAT.md}; absolute, may not exist
     * @param tools what it may do beside answering
     */
    public record Agent(
            String id,
            boolean isDefault,
            Path workspace,
            String model,
            Optional<Models> models,
            @Nullable String thinking,
            Tools tools,
            Heartbeat heartbeat) {

        /** How much the agent thinks on a model that knows {@code levels}: null, the model's own default, on another's. */
        public @Nullable String thinkingOn(List<String> levels) {
            return thinking != null && levels.contains(thinking) ? thinking : null;
        }
    }

    /**
     * What an agent may do beside answering.
     *
     * @param mcp ids of the tool servers it may use
     * @param allow the only tools of theirs that it may use, each {@code <tool>} or {@code <server>/<tool>}; empty for all
     * @param maxCalls tool calls of one turn at most
     */
    public record Tools(List<String> mcp, Optional<List<String>> allow, int maxCalls) {

        public Tools {
            mcp = List.copyOf(mcp);
            allow = allow.map(List::copyOf);
        }
    }

    /**
     * When an agent looks at its waiting events by itself.
     *
     * @param every zero when there are no periodic heartbeats
     * @param target where what a heartbeat has to say goes: {@code last}, a channel's id, or {@code none}
     * @param activeHours null when every hour is active
     */
    public record Heartbeat(Duration every, String target, @Nullable String to, @Nullable ActiveHours activeHours) {

        /** The {@code target} for heartbeats that keep what they have to say to themselves. */
        public static final String NO_TARGET = "none";

        /** Where a heartbeat's reply goes, or empty for {@link #NO_TARGET}. */
        public Optional<Recipient> recipient() {
            return target.equals(NO_TARGET) ? Optional.empty() : Optional.of(new Recipient(target, to));
        }
    }

    /** Periodic heartbeats fall between {@code start} (inclusive) and {@code end} (exclusive); over midnight if it is earlier. */
    public record ActiveHours(LocalTime start, LocalTime end, ZoneId timezone) {}

    /**
     * A backend that runs turns.
     *
     * @param kind one of {@code openai anthropic ollama gemini command offline}
     * @param baseUrl without a trailing slash, the vendor's own unless given; null for {@code command offline}
     * @param command the program and its arguments, for kind {@code command}; empty otherwise
     * @param env what the program finds in its environment beside what it needs to find its way; empty for any other kind
     * @param thinkingLevels those of {@link ThinkingLevels#LEVELS} and what its models know beside them
     * @param contextTokens what a conversation and its reply may take together, for kind {@code ollama}; null for what
     *     the provider does by itself, and for any other kind
     * @param maxTokens what one answer may take at most; null for what the model does by itself
     */
    public record Provider(
            String id,
            String kind,
            @Nullable URI baseUrl,
            @Nullable Secret apiKey,
            List<String> command,
            Map<String, Secret> env,
            List<String> thinkingLevels,
            @Nullable Integer contextTokens,
            @Nullable Integer maxTokens) {

        public Provider {
            command = List.copyOf(command);
            env = Map.copyOf(env);
            thinkingLevels = List.copyOf(thinkingLevels);
        }

        /** One that adds nothing to an environment and leaves the numbers of tokens to its models. */
        public Provider(
                String id,
                String kind,
                @Nullable URI baseUrl,
                @Nullable Secret apiKey,
                List<String> command,
                List<String> thinkingLevels) {
            this(id, kind, baseUrl, apiKey, command, Map.of(), thinkingLevels, null, null);
        }
    }

    /**
     * A tool server: a program to start, or a URL to speak to.
     *
     * @param env what the program finds in its environment beside what it needs to find its way
     * @param url an http or https address, which may hold a key
     * @param headers of every request, none of which HTTP or the protocol sets itself
     * @param timeout of one call, and of the server's start with the listing of its tools
     */
    public record McpServer(
            String id,
            List<String> command,
            Map<String, Secret> env,
            @Nullable Secret url,
            Map<String, Secret> headers,
            Duration timeout) {

        public McpServer {
            command = List.copyOf(command);
            env = Map.copyOf(env);
            headers = Map.copyOf(headers);
        }
    }

    /**
     * A chat channel or a webhook.
     *
     * @param options the kind's own settings that are no secrets, by name; {@code baseUrl} (without a trailing slash,
     *     but for kind webhook) and {@code textLimit} are always among them
     * @param secrets the kind's credentials, by name
     */
    public record Channel(String id, String kind, Map<String, String> options, Map<String, Secret> secrets) {

        public Channel {
            options = Map.copyOf(options);
            secrets = Map.copyOf(secrets);
        }
    }

    /**
     * How replies are brought to channels.
     *
     * @param maxAttempts in a row at one message, until its delivery is given up
     */
    public record Deliveries(int maxAttempts) {}

    /**
     * Where accepted work is kept.
     *
     * @param url a JDBC URL; null for SQLite in the home's {@code data/}
     */
    public record Database(@Nullable String url, @Nullable String username, @Nullable Secret password) {

        /** Leaves out the URL, which may hold a password. */
        @Override
        public String toString() {
            return url == null ? "Database[SQLite in data/]" : "Database[url=…, username=" + username + "]";
        }
    }

    /**
     * How long finished work stays visible.
     *
     * @param keep counted from the work's end
     */
    public record Retention(Duration keep) {}

    /**
     * The settings of the server of {@code java -jar}.
     *
     * @param trustedProxies networks in CIDR notation, whose hosts say truly whom they forward for
     */
    public record ServerSettings(List<String> trustedProxies) {

        public ServerSettings {
            trustedProxies = List.copyOf(trustedProxies);
        }
    }

    /** Whether a page is on, and who may see it. */
    public enum Access {
        OFF,
        /** Requests of this machine's own programs alone. */
        LOCAL,
        /** Whom the server knows and has given the role {@code postern-viewer} or {@code postern-operator}. */
        VIEWER,
        /** Whoever reaches the server; the server's own access rules apply. */
        ANYONE
    }
}
