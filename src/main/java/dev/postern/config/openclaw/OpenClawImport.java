package dev.postern.config.openclaw;

import dev.postern.config.ConfigurationFile;
import dev.postern.config.ConfigurationNode;
import dev.postern.config.ConfigurationNode.Fields;
import dev.postern.config.ConfigurationNode.Scalar;
import dev.postern.config.ConfigurationProblem;
import dev.postern.config.ConfigurationProblems;
import dev.postern.config.ProcessEnvironment;
import dev.postern.config.ValueOrigin;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Settings of Postern that OpenClaw's were translated into. Postern may still refuse some of them, which {@link ImportTrial}
 * finds out.
 *
 * @param settings the settings, each with its place in the file that is imported
 * @param files the contents of secrets and scripts, by path below the home
 * @param variables the environment variables that secrets refer to
 * @param mappings the origins of all mappings in the file that is imported, in their order
 */
record OpenClawImport(
        Fields settings,
        Map<Path, String> files,
        Set<String> variables,
        List<ValueOrigin> mappings,
        ImportNotes notes) {

    /** Why the other sections of OpenClaw's configuration are not taken. */
    private static final Map<String, String> SECTIONS = Map.ofEntries(
            Map.entry("gateway", "serve has --port and --bind; for proxies write server.trustedProxies"),
            Map.entry("session", "sessions belong to session keys, and retention.days keeps them"),
            Map.entry("messages", "Postern takes no chat messages"),
            Map.entry("commands", "Postern takes no chat messages"),
            Map.entry("bindings", "a hook names its agent with agentId"),
            Map.entry("routing", "a hook names its agent with agentId"),
            Map.entry("tools", "agents have the tools of mcp servers alone; write mcp and agents.list[].tools"),
            Map.entry("mcp", "write the servers below mcp, each with command or url"),
            Map.entry("cron", "Postern has no schedules but heartbeats; let cron post to /hooks/agent"),
            Map.entry("auth", "a login is apiKey of a provider"),
            Map.entry("secrets", "Postern reads secrets from files and environment variables"),
            Map.entry("skills", "Postern has no skills; AGENTS.md in the workspace instructs the agent"),
            Map.entry("plugins", "Postern has no plugins"),
            Map.entry("memory", "an agent remembers the turns of its session"),
            Map.entry("logging", "java.util.logging.config.file sets the log; serve has --log-format"),
            Map.entry("identity", "AGENTS.md in the workspace says who the agent is"));

    private static final String UNUSED = "no secret that is taken refers to it";

    OpenClawImport {
        files = Collections.unmodifiableMap(new LinkedHashMap<>(files));
        variables = Set.copyOf(variables);
        mappings = List.copyOf(mappings);
    }

    /**
     * Translates {@code file}.
     *
     * @param problems gets why it can't be read
     * @return empty if it can't be read
     */
    static Optional<OpenClawImport> of(Path file, ProcessEnvironment environment, ConfigurationProblems problems) {
        Optional<Fields> root = new OpenClawFile(file, problems).read();
        List<ConfigurationProblem> found = problems.problems();
        if (root.isEmpty()
                || found.stream().anyMatch(problem -> problem.setting().equals(ConfigurationFile.WHOLE))) {
            return Optional.empty();
        }
        ImportNotes notes = new ImportNotes(file);
        found.forEach(twice -> notes.differs(twice.origin(), twice.setting(), twice.wrong() + "; the last one counts"));
        EnvironmentText texts = new EnvironmentText(inline(root.get()), environment.variables());
        ImportContext context = new ImportContext(
                notes,
                texts,
                new SecretTranslator(notes, texts),
                file.toAbsolutePath().normalize().resolveSibling(""),
                environment.userHome());
        return Optional.of(translate(context, new OpenClawSection(context, "", root.get())));
    }

    /** The environment variables that the configuration itself sets, in {@code env.vars} or in {@code env}. */
    private static Map<String, String> inline(Fields root) {
        Map<String, String> variables = new LinkedHashMap<>();
        if (root.value("env") instanceof Fields env) {
            addTexts(env, variables);
            if (env.value("vars") instanceof Fields vars) {
                addTexts(vars, variables);
            }
        }
        return variables;
    }

    private static void addTexts(Fields section, Map<String, String> variables) {
        section.byName().forEach((name, field) -> {
            if (field.value() instanceof Scalar scalar && !scalar.text().isBlank()) {
                variables.put(name, scalar.text());
            }
        });
    }

    private static OpenClawImport translate(ImportContext context, OpenClawSection root) {
        SettingsBuilder settings = new SettingsBuilder(root.origin());
        TransformTranslator transforms = new TransformTranslator(context);
        ProvidersTranslator providers = new ProvidersTranslator(context);
        Optional<OpenClawSection> env = root.section("env");
        root.section("models").ifPresent(providers::read);
        ModelsTranslator models = new ModelsTranslator(context, providers);
        AgentsTranslator agents = new AgentsTranslator(context, models);
        Fields translatedAgents = agents(root).map(agents::translate).orElse(Fields.empty(root.origin()));
        List<Scalar> named = new ArrayList<>();
        root.section("hooks").ifPresent(section -> {
            HooksTranslator hooks = new HooksTranslator(context, section, transforms);
            Fields translated = hooks.translate();
            hooks.noteDefaultAgent(translated, agents.defaultAgent());
            named.addAll(HooksTranslator.models(translated));
            settings.putSection(
                    "hooks",
                    models.hasLostPolicy()
                            ? translated.with("enabled", SettingsBuilder.flag(false, section.origin()))
                            : translated);
        });
        Fields translatedProviders = providers.translated(root.origin());
        boolean needsModel = !translatedProviders.byName().isEmpty()
                || new SettingPath(List.of("defaults", "models")).in(translatedAgents) != null;
        Fields withNamed = models.withNamed(translatedAgents, named);
        settings.putSection("agents", needsModel ? agents.withModel(withNamed) : withNamed);
        settings.putSection("providers", translatedProviders);
        root.section("channels")
                .ifPresent(
                        section -> settings.putSection("channels", new ChannelsTranslator(context).translate(section)));
        env.ifPresent(section -> skipVariables(section, context));
        root.skip("$schema", "Postern's own schema is webapp-config/postern.schema.json");
        root.skipRest(SECTIONS, "Postern has no such section");
        Map<Path, String> files = new LinkedHashMap<>(context.secrets().files());
        files.putAll(transforms.files());
        return new OpenClawImport(
                settings.build(), files, context.secrets().variables(), mappings(root), context.notes());
    }

    private static List<ValueOrigin> mappings(OpenClawSection root) {
        return root.section("hooks").flatMap(hooks -> hooks.items("mappings")).stream()
                .flatMap(items -> items.nodes().stream())
                .map(ConfigurationNode::origin)
                .toList();
    }

    /** Notes the variables that no secret refers to, and the other settings of {@code env}. */
    private static void skipVariables(OpenClawSection env, ImportContext context) {
        context.secrets().inlined().forEach(env::node);
        env.section("vars").ifPresent(vars -> {
            context.secrets().inlined().forEach(vars::node);
            vars.skipRest(Map.of(), UNUSED);
        });
        env.skipRest(Map.of("shellEnv", "Postern asks no shell for variables"), UNUSED);
    }

    /** The section of the agents; in early versions {@code agent}, which held what is {@code agents.defaults} now. */
    private static Optional<OpenClawSection> agents(OpenClawSection root) {
        if (root.contains("agents") || !root.contains("agent")) {
            return root.section("agents");
        }
        return root.section("agent").map(root::asDefaults);
    }
}
