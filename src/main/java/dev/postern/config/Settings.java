package dev.postern.config;

import dev.postern.model.Secret;
import dev.postern.model.ThinkingLevels;
import java.net.URI;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The whole effective configuration: checked, with every default filled in and every secret resolved. Each component
 * has the name of its setting; {@code webapp-config/postern.yaml} describes them all. Maps by id keep the order of the
 * configuration file.
 *
 * @param home the home directory, absolute
 * @param senders the senders with tokens of their own, by id
 * @param providers the providers by id; {@code offline} is always among them
 * @param budgets the budgets by id
 */
public record Settings(
        Path home,
        HookSettings hooks,
        Map<String, SenderSettings> senders,
        AgentSettings agents,
        Map<String, Provider> providers,
        Map<String, McpServer> mcp,
        Map<String, Channel> channels,
        Map<String, BudgetSettings> budgets,
        Deliveries deliveries,
        Database database,
        Retention retention,
        Requests requests,
        ServerSettings server,
        Access console,
        Access metrics) {

    public Settings {
        senders = inOrder(senders);
        providers = inOrder(providers);
        mcp = inOrder(mcp);
        channels = inOrder(channels);
        budgets = inOrder(budgets);
    }

    /**
     * The thinking levels that may be named for {@code model}.
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

    /** The ids of the models that settings name, those with a price included. A request may name others. */
    public Set<String> namedModels() {
        Set<String> named = new LinkedHashSet<>(NamedModels.of(agents, hooks, senders.values()));
        providers.forEach((id, provider) -> provider.prices().keySet().forEach(model -> named.add(id + "/" + model)));
        return named;
    }

    /** The price of {@code model}, {@code <provider>/<model>}; null if it has none. */
    public @Nullable ModelPrice price(String model) {
        int slash = model.indexOf('/');
        Provider provider = slash < 1 ? null : providers.get(model.substring(0, slash));
        return provider == null ? null : provider.prices().get(model.substring(slash + 1));
    }

    private static <V> Map<String, V> inOrder(Map<String, V> map) {
        return Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }

    /**
     * A configured provider: a backend that runs turns.
     *
     * @param kind one of {@code openai anthropic ollama gemini command offline}
     * @param baseUrl the address without a trailing slash, the vendor's own unless given; null for
     *     {@code command offline}
     * @param command the program and its arguments, for kind {@code command}; empty otherwise
     * @param env the program's environment variables beside those that every program gets; empty for any other kind
     * @param thinkingLevels {@link ThinkingLevels#LEVELS} and the further levels of its models
     * @param contextTokens the most tokens of a conversation and its reply together, for kind {@code ollama}; null for
     *     the provider's own setting, and for any other kind
     * @param maxTokens the most tokens of one completion; null for the model's own limit
     * @param prices the prices of its models, by model id without the provider
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
            @Nullable Integer maxTokens,
            Map<String, ModelPrice> prices) {

        public Provider {
            prices = Map.copyOf(prices);
            command = List.copyOf(command);
            env = Map.copyOf(env);
            thinkingLevels = List.copyOf(thinkingLevels);
        }

        /** Creates a provider without environment variables of its own, and with the token limits of its models. */
        public Provider(
                String id,
                String kind,
                @Nullable URI baseUrl,
                @Nullable Secret apiKey,
                List<String> command,
                List<String> thinkingLevels) {
            this(id, kind, baseUrl, apiKey, command, Map.of(), thinkingLevels, null, null, Map.of());
        }
    }

    /**
     * A tool server: a program to start, or a URL to speak to.
     *
     * @param env the program's environment variables beside those that every program gets
     * @param url an http or https address, which may hold a key
     * @param headers the headers of every request, none of which HTTP or the protocol sets itself
     * @param timeout the time limit of one call, and of the server's start with the listing of its tools
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
     * @param options the kind's own settings that are no secrets, by name; always with {@code textLimit}, and with
     *     {@code baseUrl} (without a trailing slash) for all kinds but mail and webhook; a list has one entry a line
     * @param secrets the kind's credentials, by name
     * @param authorities certificates that are trusted in addition to Java's own authorities
     */
    public record Channel(
            String id,
            String kind,
            Map<String, String> options,
            Map<String, Secret> secrets,
            List<X509Certificate> authorities) {

        public Channel {
            options = Map.copyOf(options);
            secrets = Map.copyOf(secrets);
            authorities = List.copyOf(authorities);
        }

        /** A channel that trusts Java's own authorities alone. */
        public Channel(String id, String kind, Map<String, String> options, Map<String, Secret> secrets) {
            this(id, kind, options, secrets, List.of());
        }
    }

    /**
     * The settings of deliveries.
     *
     * @param maxAttempts the most attempts in a row at one message, before its delivery is given up
     */
    public record Deliveries(int maxAttempts) {}

    /**
     * The database that keeps accepted runs and events.
     *
     * @param url the JDBC URL; null for SQLite in the home's {@code data/}
     */
    public record Database(@Nullable String url, @Nullable String username, @Nullable Secret password) {

        /** Omits the URL, which may hold a password. */
        @Override
        public String toString() {
            return url == null ? "Database[SQLite in data/]" : "Database[url=…, username=" + username + "]";
        }
    }

    /**
     * The retention of finished runs and processed events.
     *
     * @param keep the time that they stay visible, counted from their end
     */
    public record Retention(Duration keep) {}

    /**
     * The settings of the request log.
     *
     * @param keep how long a request stays in it, counted from its arrival
     * @param payloads the requests whose payloads are kept, where their mapping does not say
     * @param payloadsFor how long a payload is kept, counted from its request's arrival; never longer than {@code keep}
     * @param payloadsMaxBytes the most bytes of all kept payloads together
     */
    public record Requests(Duration keep, KeptPayloads payloads, Duration payloadsFor, long payloadsMaxBytes) {}

    /** The requests whose payloads are kept, encrypted. */
    public enum KeptPayloads {
        NONE,
        /** Only requests whose response is an error. */
        FAILED,
        ALL;

        /** The one that a configuration file calls {@code word}. */
        static KeptPayloads of(String word) {
            return valueOf(word.toUpperCase(Locale.ROOT));
        }
    }

    /**
     * The settings of the server of {@code java -jar}.
     *
     * @param trustedProxies networks in CIDR notation; their hosts are trusted to name the client that they forward for
     */
    public record ServerSettings(List<String> trustedProxies) {

        public ServerSettings {
            trustedProxies = List.copyOf(trustedProxies);
        }
    }

    /** The access to a page: off, or the users who may see it. */
    public enum Access {
        OFF,
        /** Only requests of programs on this machine. */
        LOCAL,
        /** Users to whom the server gives the role {@code postern-viewer} or {@code postern-operator}. */
        VIEWER,
        /** Anyone who reaches the server; the server's own access rules apply. */
        ANYONE
    }
}
