package dev.postern.config;

import dev.postern.config.ListTypes.CommandLine;
import dev.postern.config.ListTypes.TextList;
import dev.postern.config.ScalarTypes.Address;
import dev.postern.config.ScalarTypes.Choice;
import dev.postern.config.ScalarTypes.Text;
import dev.postern.config.ScalarTypes.Whole;
import dev.postern.config.SettingDeclaration.Group;
import dev.postern.config.SettingDeclaration.Setting;
import dev.postern.config.SettingDeclaration.Table;
import dev.postern.model.Secret;
import dev.postern.model.ThinkingLevels;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** The section {@code providers}: the backends that run turns. */
final class ProvidersSection {

    private ProvidersSection() {}

    /** The id and kind of the provider that works without a model and always exists. */
    static final String OFFLINE = "offline";

    private static final String OLLAMA = "ollama";

    static final Setting<String> KIND = Setting.optional(
            DeclaredSettings.KIND,
            new Choice("openai", "anthropic", "ollama", "gemini", "command", OFFLINE),
            "What it speaks: openai (and what is compatible), anthropic, ollama, gemini, command or offline.");
    static final Setting<Secret> API_KEY = Setting.optional(
            "apiKey", new SecretTypes.Credential(), "The key; may be left out where baseUrl is given.");
    static final Setting<List<String>> COMMAND = Setting.needed(
            "command", new CommandLine(), "The program and its arguments: message on stdin, reply on stdout.");

    /** The environment variables that each program gets from Postern itself: see dev.postern.agent.CommandBackend. */
    private static final Set<String> OWN_VARIABLES = Set.of(
            "postern_run_id",
            "postern_lane",
            "postern_turn",
            "postern_agent_id",
            "postern_session_key",
            "postern_model",
            "postern_thinking");

    static final Setting<Map<String, Secret>> ENV = Setting.optional(
            DeclaredSettings.ENV,
            SecretTypes.environment(OWN_VARIABLES),
            "Environment variables for the program, such as a key it needs; it inherits PATH, HOME and nine others.");

    static final Setting<List<String>> THINKING_LEVELS = Setting.optional(
            "thinkingLevels",
            new TextList(new Text("the name of a level", SectionReader.ID)),
            "Levels of thinking that its models know beside " + String.join(", ", ThinkingLevels.LEVELS) + ".");

    static final Setting<Integer> CONTEXT_TOKENS = Setting.optional(
            "contextTokens",
            new Whole(256, 100_000_000),
            "The tokens that a conversation and its reply may take together; Ollama's own setting when left out.");

    static final Setting<Integer> MAX_TOKENS = Setting.optional(
            "maxTokens",
            new Whole(1, 100_000_000),
            "The most tokens of one answer; the model's own limit when left out, and 8192 for anthropic.");

    static final Setting<Map<String, ModelPrice>> PRICES = Setting.optional(
            "prices",
            new PriceTypes.Prices(),
            "Prices of a million tokens by model, in your own currency: {<model>: {input: 1.25, output: 10}}.");

    private static final Map<String, Setting<URI>> BASE_URLS = Map.of(
            "openai",
            baseUrl("https://api.openai.com/v1"),
            "anthropic",
            baseUrl("https://api.anthropic.com/v1"),
            OLLAMA,
            baseUrl("http://localhost:11434"),
            "gemini",
            baseUrl("https://generativelanguage.googleapis.com/v1beta"));

    static final Table PROVIDERS = new Table(
            "providers",
            "Backends that run turns, by ids of your choice; a model id is <id>/<model>. offline is always there.",
            List.of(
                    chat("openai"),
                    chat("anthropic"),
                    chat(OLLAMA, CONTEXT_TOKENS),
                    chat("gemini"),
                    Group.of("command", "A local program.", KIND, COMMAND, ENV, THINKING_LEVELS),
                    Group.of(OFFLINE, "Answers without a model, for trying things out.", KIND)),
            List.of(OFFLINE));

    private static Setting<URI> baseUrl(String byDefault) {
        return Setting.of("baseUrl", new Address(true), byDefault, "The address that API paths are appended to.");
    }

    private static Group chat(String kind, Setting<?>... further) {
        Setting<URI> baseUrl = Objects.requireNonNull(BASE_URLS.get(kind));
        Stream<SettingDeclaration> members = Stream.of(KIND, baseUrl, API_KEY, THINKING_LEVELS, MAX_TOKENS, PRICES);
        return new Group(
                kind, "Chat models.", Stream.concat(members, Stream.of(further)).toList());
    }

    static Map<String, Settings.Provider> read(SectionReader root) {
        Map<String, Settings.Provider> providers = new LinkedHashMap<>();
        root.entries(PROVIDERS).forEach((id, entry) -> providers.put(id, provider(id, entry)));
        providers.putIfAbsent(
                OFFLINE, new Settings.Provider(OFFLINE, OFFLINE, null, null, List.of(), ThinkingLevels.LEVELS));
        return providers;
    }

    private static Settings.Provider provider(String id, SectionReader entry) {
        String kind = entry.group().name();
        if (kind.equals(COMMAND.name())) {
            CommandLine.warnIfMissing(entry, COMMAND);
            return new Settings.Provider(
                    id,
                    kind,
                    /* baseUrl= */ null,
                    /* apiKey= */ null,
                    /* command= */ entry.given(COMMAND).orElse(List.of()),
                    /* env= */ entry.given(ENV).orElse(Map.of()),
                    /* thinkingLevels= */ thinkingLevels(entry),
                    /* contextTokens= */ null,
                    /* maxTokens= */ null,
                    /* prices= */ Map.of());
        }
        Setting<URI> baseUrl = BASE_URLS.get(kind);
        if (baseUrl == null) {
            return new Settings.Provider(id, kind, null, null, List.of(), ThinkingLevels.LEVELS);
        }
        boolean hosted = !kind.equals(OLLAMA) && !entry.contains(baseUrl);
        if (hosted && !entry.contains(API_KEY)) {
            entry.problem(
                    API_KEY,
                    "is missing; " + entry.get(baseUrl) + " wants one",
                    "write ${env:NAME} or ${file:secrets/name}, or name your own server with baseUrl");
        }
        return new Settings.Provider(
                id,
                kind,
                /* baseUrl= */ entry.get(baseUrl),
                /* apiKey= */ entry.given(API_KEY).orElse(null),
                /* command= */ List.of(),
                /* env= */ Map.of(),
                /* thinkingLevels= */ thinkingLevels(entry),
                /* contextTokens= */ entry.given(CONTEXT_TOKENS).orElse(null),
                /* maxTokens= */ entry.given(MAX_TOKENS).orElse(null),
                /* prices= */ entry.given(PRICES).orElse(Map.of()));
    }

    private static List<String> thinkingLevels(SectionReader entry) {
        Stream<String> further = entry.given(THINKING_LEVELS).orElse(List.of()).stream();
        return Stream.concat(ThinkingLevels.LEVELS.stream(), further).distinct().toList();
    }
}
