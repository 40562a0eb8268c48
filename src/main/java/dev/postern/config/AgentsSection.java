package dev.postern.config;

import dev.postern.config.ListTypes.ModelList;
import dev.postern.config.ListTypes.TextList;
import dev.postern.config.ScalarTypes.Flag;
import dev.postern.config.ScalarTypes.Level;
import dev.postern.config.ScalarTypes.Text;
import dev.postern.config.ScalarTypes.Whole;
import dev.postern.config.SettingDeclaration.Group;
import dev.postern.config.SettingDeclaration.Rows;
import dev.postern.config.SettingDeclaration.Setting;
import dev.postern.model.HomeSetting;
import dev.postern.model.NearestName;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The section {@code agents}: the agents, their defaults and the number of turns at one time. */
final class AgentsSection {

    private AgentsSection() {}

    /** The id of the only agent when none is listed. */
    private static final String MAIN = "main";

    private static final ValueType<String> MODEL_NAME = new Text("a model id <provider>/<model> or an alias of models");
    static final ValueType<String> LEVEL = new Level();

    static final Setting<String> MODEL = Setting.optional(
            "model", MODEL_NAME, "The model, or an alias of models. offline/echo while no provider is configured.");
    static final Setting<AgentSettings.Models> MODELS = Setting.optional(
            "models",
            new ModelList(),
            "The models that may be named: a list of ids, or a map alias: id. Left out: any.");
    static final Setting<String> THINKING =
            Setting.optional("thinking", LEVEL, "How much the model thinks; its own default when left out.");
    static final Setting<Integer> TIMEOUT_SECONDS =
            Setting.of("timeoutSeconds", new Whole(1, 86_400), 600, "How long a turn may take, in seconds.");
    static final Setting<Integer> MAX_ATTEMPTS =
            Setting.of("maxAttempts", new Whole(1, 100), 2, "How often a run that gets interrupted is begun at most.");
    static final Setting<Duration> RETRY_FOR = Setting.of(
            "retryFor",
            new DurationType(Duration.ofSeconds(1), Duration.ofDays(30), true),
            "6h",
            "How long a run waits for a provider that is down before it fails; 0 for not at all.");
    private static final ValueType<List<String>> MODEL_NAMES = new TextList(MODEL_NAME);
    private static final ValueType<Integer> TOKENS = new Whole(1, Integer.MAX_VALUE);
    static final Setting<List<String>> FALLBACKS = Setting.optional(
            "fallbacks", MODEL_NAMES, "The models to ask, in this order, while the provider of the model is down.");
    static final Setting<Integer> MAX_TOKENS_PER_TURN = Setting.optional(
            "maxTokensPerTurn",
            TOKENS,
            "Tokens of one turn, in and out; past them its model is asked once more, without tools.");
    static final Group DEFAULTS = Group.of(
            "defaults",
            "What an agent has that doesn't say otherwise.",
            MODEL,
            MODELS,
            THINKING,
            TIMEOUT_SECONDS,
            MAX_ATTEMPTS,
            RETRY_FOR,
            FALLBACKS,
            MAX_TOKENS_PER_TURN,
            HeartbeatSection.DEFAULTS);

    static final Setting<Integer> MAX_CONCURRENT =
            Setting.of("maxConcurrent", new Whole(1, 1000), 8, "Turns at one time on this node.");

    static final Setting<String> ID =
            Setting.needed("id", new Text("an id of A-Z a-z 0-9 . _ -", SectionReader.ID), "What requests call it.");
    static final Setting<Boolean> DEFAULT = Setting.optional(
            "default", new Flag(), "Takes what names no agent; the first of the list when none says so.");
    static final Setting<String> WORKSPACE = Setting.optional(
            "workspace",
            new Text("a directory"),
            "Holds AGENTS.md and HEARTBEAT.md; agents/<id> in the home when left out.");
    static final Setting<String> OWN_MODEL = Setting.optional("model", MODEL_NAME, "Its model, or an alias.");
    static final Setting<AgentSettings.Models> OWN_MODELS =
            Setting.optional("models", new ModelList(), "The models that may be named for it.");
    static final Setting<String> OWN_THINKING = Setting.optional("thinking", LEVEL, "How much its model thinks.");
    static final Setting<List<String>> OWN_FALLBACKS =
            Setting.optional("fallbacks", MODEL_NAMES, "Its own models to ask while a provider is down; [] for none.");
    static final Setting<Integer> OWN_MAX_TOKENS =
            Setting.optional("maxTokensPerTurn", TOKENS, "The tokens of one turn of its own.");
    static final Setting<List<String>> TOOLS_MCP =
            Setting.optional("mcp", new TextList(new Text("an id below mcp")), "The tool servers it may use.");
    static final Setting<List<String>> TOOLS_ALLOW = Setting.optional(
            "allow",
            new TextList(new Text("the name of a tool")),
            "The only tools of theirs that it may use, each <tool> or <server>/<tool>; all when left out.");
    static final Setting<Integer> TOOLS_MAX_CALLS = Setting.of(
            "maxCalls",
            new Whole(1, 200),
            32,
            "Tool calls of one turn at most; then its model is asked once more, without tools.");
    static final Group TOOLS = Group.of(
            "tools",
            "Its tools.",
            TOOLS_MCP,
            TOOLS_ALLOW,
            TOOLS_MAX_CALLS,
            ApprovalFields.APPROVE,
            ApprovalFields.APPROVE_WITHIN,
            ApprovalFields.ASK_CHANNEL,
            ApprovalFields.ASK_TO);
    private static final AgentSettings.Tools NO_TOOLS =
            new AgentSettings.Tools(List.of(), Optional.empty(), 32, ApprovalFields.NONE);
    static final Rows LIST = new Rows(
            "list",
            "The agents. Without a list there is one, main.",
            Group.of(
                    "agent",
                    "One agent; what it leaves out it has from defaults.",
                    ID,
                    DEFAULT,
                    WORKSPACE,
                    OWN_MODEL,
                    OWN_MODELS,
                    OWN_THINKING,
                    OWN_FALLBACKS,
                    OWN_MAX_TOKENS,
                    TOOLS,
                    HeartbeatSection.OWN));

    static final Group AGENTS = Group.of("agents", "Who acts.", DEFAULTS, MAX_CONCURRENT, LIST);

    private static Optional<AgentSettings.Models> models(SectionReader defaults) {
        Optional<AgentSettings.Models> models = defaults.given(MODELS);
        if (models.isPresent() && models.get().ids().isEmpty()) {
            defaults.problem(
                    MODELS, "is empty, so that no model is allowed", "leave it out to allow any, or add models");
            return Optional.empty();
        }
        return models;
    }

    static AgentSettings read(SectionReader root, Map<String, Settings.Provider> providers, Set<String> channels) {
        SectionReader agents = root.section(AGENTS);
        SectionReader given = agents.section(DEFAULTS);
        ModelRules rules = ModelRules.of(root, providers);
        Optional<AgentSettings.Models> models = models(given);
        List<SectionReader> rows = agents.rows(LIST);
        boolean used = rows.isEmpty() || rows.stream().anyMatch(row -> !row.contains(OWN_MODEL));
        String model = rules.checkModel(given, MODEL, models, used);
        Optional<String> thinking = given.given(THINKING);
        thinking.ifPresent(level -> rules.checkThinking(given, THINKING, level, model));
        List<String> fallbacks = rules.checkFallbacks(given, FALLBACKS, model, models);
        AgentSettings.Defaults defaults = new AgentSettings.Defaults(
                model,
                models,
                thinking.orElse(null),
                DeclaredSettings.seconds(given.get(TIMEOUT_SECONDS)),
                given.get(MAX_ATTEMPTS),
                given.get(RETRY_FOR),
                fallbacks,
                given.given(MAX_TOKENS_PER_TURN).orElse(null));
        models.ifPresent(allowed -> rules.checkProviders(given, MODELS, allowed));

        AgentSettings.Heartbeat heartbeat = HeartbeatSection.read(given.section(HeartbeatSection.DEFAULTS), channels);
        List<AgentSettings.Agent> list = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        for (SectionReader row : rows) {
            SectionReader first = defaultRow(rows);
            AgentSettings.Agent agent =
                    agent(row, row == first, defaults, heartbeat, rules, root.ids(McpSection.MCP), channels);
            if (isMarked(row) && row != first) {
                row.problem(DEFAULT, "is true, as it is for " + id(first), "let one agent be the default");
            }
            ApprovalFields.check(
                    row.section(TOOLS),
                    ApprovalFields.APPROVE,
                    agent.tools().approval().tools(),
                    root.get(DeclaredSettings.CONSOLE));
            if (row.given(ID).isPresent() && !ids.add(agent.id())) {
                row.problem(ID, "is [" + agent.id() + "], which another agent is called already", "choose another id");
            }
            list.add(agent);
        }
        if (list.isEmpty()) {
            Path workspace = root.reading().home().resolve("agents").resolve(MAIN);
            list.add(new AgentSettings.Agent(
                    /* id= */ MAIN,
                    /* isDefault= */ true,
                    workspace,
                    defaults.model(),
                    models,
                    defaults.thinking(),
                    defaults.fallbacks(),
                    defaults.maxTokensPerTurn(),
                    /* tools= */ NO_TOOLS,
                    heartbeat));
        }
        return new AgentSettings(defaults, agents.get(MAX_CONCURRENT), list);
    }

    private static AgentSettings.Agent agent(
            SectionReader row,
            boolean isDefault,
            AgentSettings.Defaults defaults,
            AgentSettings.Heartbeat heartbeat,
            ModelRules rules,
            List<String> mcpServers,
            Set<String> channels) {
        String id = id(row);
        Optional<AgentSettings.Models> own = row.given(OWN_MODELS);
        own.ifPresent(allowed -> rules.checkProviders(row, OWN_MODELS, allowed));
        Optional<AgentSettings.Models> models = own.or(defaults::models);
        String model = row.contains(OWN_MODEL)
                ? rules.checkModel(row, OWN_MODEL, models, true)
                : rules.checkInherited(row, OWN_MODEL, defaults.model(), own);
        Optional<String> thinking = row.given(OWN_THINKING);
        thinking.ifPresent(level -> rules.checkThinking(row, OWN_THINKING, level, model));
        SectionReader tools = row.section(TOOLS);
        rules.checkTools(tools, TOOLS_MCP, model);
        Optional<String> inherited = Optional.ofNullable(defaults.thinking()).filter(rules.levels(model)::contains);
        return new AgentSettings.Agent(
                id,
                isDefault,
                /* workspace= */ workspace(row, id),
                model,
                models,
                /* thinking= */ thinking.or(() -> inherited).orElse(null),
                /* fallbacks= */ row.contains(OWN_FALLBACKS)
                        ? rules.checkFallbacks(row, OWN_FALLBACKS, model, models)
                        : rules.checkInheritedFallbacks(row, OWN_FALLBACKS, model, defaults.fallbacks(), own),
                /* maxTokensPerTurn= */ row.given(OWN_MAX_TOKENS).orElse(defaults.maxTokensPerTurn()),
                /* tools= */ tools(tools, mcpServers, channels),
                /* heartbeat= */ HeartbeatSection.readOwn(row.section(HeartbeatSection.OWN), heartbeat, channels));
    }

    private static String id(SectionReader row) {
        return row.given(ID).orElse(MAIN);
    }

    /** The default agent's row: the first one marked as default, else the first of all. */
    private static SectionReader defaultRow(List<SectionReader> rows) {
        return rows.stream().filter(AgentsSection::isMarked).findFirst().orElse(rows.get(0));
    }

    private static boolean isMarked(SectionReader row) {
        return row.given(DEFAULT).orElse(false);
    }

    private static AgentSettings.Tools tools(SectionReader tools, List<String> mcpServers, Set<String> channels) {
        List<String> servers = tools.given(TOOLS_MCP).orElse(List.of());
        for (String server : servers) {
            if (!mcpServers.contains(server)) {
                tools.problem(TOOLS_MCP, "names [" + server + "], which is not below mcp", suggest(server, mcpServers));
            }
        }
        Optional<List<String>> allow = tools.given(TOOLS_ALLOW);
        checkServers(tools, TOOLS_ALLOW, allow.orElse(List.of()), servers);
        AgentSettings.Approval approval = ApprovalFields.read(tools, channels);
        checkServers(tools, ApprovalFields.APPROVE, approval.tools(), servers);
        return new AgentSettings.Tools(servers, allow, tools.get(TOOLS_MAX_CALLS), approval);
    }

    private static void checkServers(
            SectionReader tools, Setting<List<String>> setting, List<String> names, List<String> servers) {
        for (String tool : names) {
            foreignServer(tool, servers)
                    .ifPresent(server -> tools.problem(
                            setting, "names [" + tool + "], whose server is not in mcp", suggest(server, servers)));
        }
    }

    /** The server that {@code tool} names, unless {@code servers} has it. */
    static Optional<String> foreignServer(String tool, Collection<String> servers) {
        return Optional.of(tool.substring(0, Math.max(0, tool.indexOf('/'))))
                .filter(server -> !server.isEmpty() && !servers.contains(server));
    }

    static String suggest(String wanted, Collection<String> known) {
        return NearestName.of(wanted, known)
                .map(near -> "did you mean " + near + "?")
                .orElse(known.isEmpty() ? "configure it" : "configure it, or write one of " + String.join(", ", known));
    }

    private static Path workspace(SectionReader row, String id) {
        ReadContext readContext = row.reading();
        Path byDefault = readContext.home().resolve("agents").resolve(id);
        Optional<String> given = row.given(WORKSPACE);
        if (given.isEmpty()) {
            return byDefault;
        }
        try {
            return HomeSetting.expand(given.get(), readContext.home(), readContext.userHome());
        } catch (InvalidPathException malformed) {
            row.problem(WORKSPACE, "is [" + given.get() + "]", "write a directory");
            return byDefault;
        }
    }
}
