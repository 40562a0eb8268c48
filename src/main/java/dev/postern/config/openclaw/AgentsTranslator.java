package dev.postern.config.openclaw;

import dev.postern.config.ConfigurationNode;
import dev.postern.config.ConfigurationNode.Fields;
import dev.postern.config.ConfigurationNode.Items;
import dev.postern.config.ConfigurationNode.Scalar;
import dev.postern.config.ValueOrigin;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A translator of the section {@code agents}. Its agents are a map {@code entries}, or in earlier versions a {@code list}. */
final class AgentsTranslator {

    /** The id of the agent of a configuration without agents. */
    static final String MAIN = "main";

    private static final String MODEL = "model";
    private static final String OFFLINE = "offline/echo";
    private static final String HEARTBEAT = "heartbeat";

    private static final Map<String, String> REASONS = Map.ofEntries(
            Map.entry("tools", "agents have the tools of mcp servers alone; write tools.mcp and tools.allow"),
            Map.entry("sandbox", "agents have no shell and no files"),
            Map.entry("skills", "Postern has no skills; AGENTS.md in the workspace instructs the agent"),
            Map.entry("identity", "AGENTS.md in the workspace says who the agent is"),
            Map.entry("name", "Postern shows the agent's id"),
            Map.entry("groupChat", "Postern takes no chat messages"),
            Map.entry("subagents", "a turn begins no other turns"),
            Map.entry("agentDir", "a login is apiKey of a provider"),
            Map.entry("params", "Postern sends a model no parameters of yours"),
            Map.entry("memorySearch", "an agent remembers the turns of its session"),
            Map.entry("imageModel", "turns are text"),
            Map.entry("userTimezone", "write activeHours.timezone for heartbeats"),
            Map.entry("models", "write modelPolicy or the defaults' models"),
            Map.entry("ownership", "a request that names no agent goes to the default one"));

    private static final String OTHERWISE = "Postern has no such setting of agents";

    private final ImportContext context;
    private final ModelsTranslator models;
    private final Map<String, OpenClawSection> agents = new LinkedHashMap<>();

    AgentsTranslator(ImportContext context, ModelsTranslator models) {
        this.context = context;
        this.models = models;
    }

    Fields translate(OpenClawSection section) {
        SettingsBuilder settings = new SettingsBuilder(section.origin());
        Optional<OpenClawSection> defaults = section.section("defaults");
        readAgents(section);
        Optional<Scalar> workspace = Optional.empty();
        if (defaults.isPresent()) {
            models.readAliases(defaults.get());
            workspace = defaults.get().text("workspace");
            settings.putSection("defaults", defaults(defaults.get(), settings));
            defaults.get().skipRest(REASONS, OTHERWISE);
        }
        boolean beats = agents.values().stream().anyMatch(agent -> agent.contains(HEARTBEAT));
        List<Fields> list = new ArrayList<>();
        String standard = defaultAgent();
        for (Map.Entry<String, OpenClawSection> agent : agents.entrySet()) {
            boolean isDefault = agent.getKey().equals(standard);
            list.add(agent(agent.getKey(), agent.getValue(), isDefault, beats, workspace));
        }
        if (list.isEmpty() && workspace.isPresent()) {
            ValueOrigin origin = workspace.get().origin();
            list.add(new SettingsBuilder(origin)
                    .put("id", SettingsBuilder.text(MAIN, origin))
                    .put("workspace", workspace.get())
                    .build());
        }
        settings.putItems("list", list);
        section.skipRest(REASONS, OTHERWISE);
        return settings.build();
    }

    /** The id of the default agent: the one that says so, else the first. */
    String defaultAgent() {
        return agents.entrySet().stream()
                .filter(agent -> agent.getValue()
                        .flag("default")
                        .map(Scalar::text)
                        .filter("true"::equals)
                        .isPresent())
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(agents.isEmpty() ? MAIN : agents.keySet().iterator().next());
    }

    private void readAgents(OpenClawSection section) {
        section.section("entries").ifPresent(entries -> entries.entries()
                .forEach((id, agent) -> put(agent, entries.path(id), SettingsBuilder.text(id, entries.origin(id)))));
        List<ConfigurationNode> nodes = section.items("list").map(Items::nodes).orElse(List.of());
        for (int place = 0; place < nodes.size(); place++) {
            String path = section.path("list") + "[" + place + "]";
            if (nodes.get(place) instanceof Fields fields) {
                OpenClawSection agent = new OpenClawSection(context, path, fields);
                agent.text("id").ifPresent(id -> put(agent, agent.path("id"), id));
                if (!agent.contains("id")) {
                    context.notes().notTaken(fields.origin(), path, "it has no id");
                }
            } else {
                context.notes().notTaken(nodes.get(place).origin(), path, "it is no map");
            }
        }
    }

    /** @param setting what names {@code id} */
    private void put(OpenClawSection agent, String setting, Scalar id) {
        String name = AgentIdTranslator.translate(id.text());
        if (agents.putIfAbsent(name, agent) != null) {
            context.notes().notTaken(agent.origin(), agent.path(), "an agent before it is called " + name + " too");
        } else if (!name.equals(id.text().strip())) {
            context.notes()
                    .differs(
                            id.origin(),
                            setting,
                            AgentIdTranslator.differenceTo(name) + "; Postern's requests have to name it so");
        }
    }

    /** @param agents gets the number of turns at one time, which Postern has beside the defaults */
    private Fields defaults(OpenClawSection defaults, SettingsBuilder agents) {
        SettingsBuilder settings = new SettingsBuilder(defaults.origin());
        models.putModel(defaults, settings, true);
        models.putAllowed(defaults, settings, true);
        settings.put("thinking", defaults.text("thinkingDefault"))
                .put("timeoutSeconds", defaults.number("timeoutSeconds"));
        defaults.section(HEARTBEAT)
                .ifPresent(
                        heartbeat -> settings.putSection(HEARTBEAT, HeartbeatTranslator.translate(context, heartbeat)));
        agents.put("maxConcurrent", defaults.number("maxConcurrent"));
        return settings.build();
    }

    /**
     * @param beats whether some agent has heartbeat settings of its own; then the others have no heartbeats in OpenClaw. Else the
     *     default one alone has them
     * @param workspace that of the defaults, which the default agent has
     */
    private Fields agent(
            String id, OpenClawSection agent, boolean isDefault, boolean beats, Optional<Scalar> workspace) {
        SettingsBuilder settings = new SettingsBuilder(agent.origin());
        settings.put("id", SettingsBuilder.text(id, agent.origin()));
        Optional<Scalar> marked = agent.flag("default");
        if (isDefault) {
            settings.put("default", marked);
        }
        Optional<Scalar> own = agent.text("workspace");
        settings.put("workspace", own.isPresent() || !isDefault ? own : workspace);
        models.putModel(agent, settings, false);
        models.putAllowed(agent, settings, false);
        settings.put("thinking", agent.text("thinkingDefault"));
        Optional<OpenClawSection> heartbeat = agent.section(HEARTBEAT);
        if (heartbeat.isPresent()) {
            settings.putSection(HEARTBEAT, HeartbeatTranslator.translate(context, heartbeat.get()));
        } else if (beats || !isDefault) {
            settings.put(
                    HEARTBEAT,
                    new SettingsBuilder(agent.origin())
                            .put("every", SettingsBuilder.text("0", agent.origin()))
                            .build());
        }
        agent.skipRest(REASONS, OTHERWISE);
        return settings.build();
    }

    /**
     * {@code agents} with a model for those that have none, while there are providers. OpenClaw has one of its own then, and
     * Postern has not.
     */
    Fields withModel(Fields agents) {
        @Nullable ConfigurationNode defaults = agents.value("defaults");
        Fields section = defaults instanceof Fields fields ? fields : Fields.empty(agents.origin());
        if (section.value(MODEL) != null) {
            return agents;
        }
        Scalar offline = SettingsBuilder.text(OFFLINE, section.origin());
        Fields with = section.with(MODEL, offline);
        if (with.value("models") instanceof Fields models) {
            with = with.with("models", models.with(OFFLINE, offline));
        }
        context.notes()
                .differs(
                        section.origin(),
                        "agents.defaults.model",
                        "offline/echo answers without a model until you name one");
        return agents.with("defaults", with);
    }
}
