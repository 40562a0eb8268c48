package dev.postern.config;

import dev.postern.config.MappingSettings.Action;
import dev.postern.config.MappingSettings.TextField;
import dev.postern.config.SettingDeclaration.Setting;
import dev.postern.model.Recipient;
import dev.postern.model.ThinkingLevels;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rules for an operator's mapping that follow from the rest of the configuration. They check only values that are
 * the same for every request; templates are checked with each request.
 *
 * @param path {@code hooks.path}
 * @param tokenHeaders every header that may carry the token, lower case
 * @param channels the ids of the configured channels
 * @param providers all providers, by id
 * @param console who can use the console
 */
record MappingRules(
        String path,
        List<String> tokenHeaders,
        Optional<List<String>> allowedAgentIds,
        SessionKeyRules keys,
        AgentSettings agents,
        Set<String> channels,
        Map<String, Settings.Provider> providers,
        Settings.Access console) {

    private static final List<SettingDeclaration> UNUSED_BY_WAKES = List.of(
            MappingFields.SESSION_KEY,
            MappingFields.DELIVER,
            MappingFields.CHANNEL,
            MappingFields.TO,
            MappingFields.MODEL,
            MappingFields.THINKING,
            MappingFields.TIMEOUT_SECONDS,
            MappingFields.FALLBACKS,
            MappingFields.TOOLS,
            MappingFields.APPROVE,
            MappingFields.REPLY_TO_SENDER);

    private static final List<SettingDeclaration> UNUSED_BY_DELIVERIES = List.of(
            MappingFields.INSTRUCTIONS,
            MappingFields.NAME,
            MappingFields.AGENT_ID,
            MappingFields.SESSION_KEY,
            MappingFields.WAKE_MODE,
            MappingFields.DELIVER,
            MappingFields.MODEL,
            MappingFields.THINKING,
            MappingFields.TIMEOUT_SECONDS,
            MappingFields.FALLBACKS,
            MappingFields.TOOLS,
            MappingFields.APPROVE,
            MappingFields.PRIORITY,
            MappingFields.REPLY_TO_SENDER,
            MappingFields.ALLOW_UNSAFE);

    void check(SectionReader row, MappingSettings mapping) {
        checkMatch(row.section(MatchSection.MATCH), mapping);
        row.warnOfEmpty(
                MappingFields.TO,
                "is empty, as if it were not there; # begins a comment in YAML, unless it stands in quotes");
        MappingSettings.Text key = mapping.texts().get(TextField.SESSION_KEY);
        if (key != null) {
            keys.check(row, key.template());
        }
        literal(mapping, TextField.CHANNEL).ifPresent(id -> checkChannel(row, mapping.action(), id));
        Optional<String> agentId = literal(mapping, TextField.AGENT_ID);
        agentId.ifPresent(id -> checkAgent(row, id));
        if (agentId.isPresent() || !mapping.texts().containsKey(TextField.AGENT_ID)) {
            literal(mapping, TextField.MODEL)
                    .ifPresent(model -> checkModel(row, MappingFields.MODEL, agentId.orElse(null), model));
            row.given(MappingFields.FALLBACKS)
                    .orElse(List.of())
                    .forEach(model -> checkFallback(row, agentId.orElse(null), model));
        }
        literal(mapping, TextField.THINKING).ifPresent(level -> checkThinking(row, MappingFields.THINKING, level));
        literal(mapping, TextField.IDEMPOTENCY_KEY)
                .ifPresent(same -> row.problem(
                        MappingFields.IDEMPOTENCY_KEY,
                        "is the same for every request, so that only the first would be done",
                        "write what tells deliveries apart, such as {{headers.x-delivery-id}}"));
        if (mapping.turn().instructions() != null
                && MappingTypes.isTemplated(mapping.turn().instructions())) {
            row.warn(
                    MappingFields.INSTRUCTIONS,
                    "holds what looks like a placeholder; instructions take none, and it stays as it is");
        }
        ApprovalFields.check(row, MappingFields.APPROVE, mapping.turn().approve(), console);
        if (mapping.action() == Action.AGENT || mapping.transform() != null) {
            checkTools(row, mapping, agentId);
        }
        if (mapping.action() != Action.AGENT && mapping.transform() == null) {
            (mapping.action() == Action.WAKE ? UNUSED_BY_WAKES : UNUSED_BY_DELIVERIES)
                    .stream()
                            .filter(row::contains)
                            .forEach(settingDeclaration -> row.warn(
                                    settingDeclaration,
                                    "is used for nothing: the mapping's action is "
                                            + mapping.action().wire()));
        }
        if (mapping.action() == Action.DELIVER && mapping.transform() == null) {
            checkNamed(row, mapping);
        }
        if (mapping.verify() != null
                && tokenHeaders.contains(mapping.verify().form().header())) {
            row.section(VerifySection.VERIFY)
                    .problem(
                            VerifySection.HEADER,
                            "is [" + mapping.verify().form().header() + "], where the hook token is looked for",
                            "name another header, or take it out of hooks.tokenHeaders");
        }
    }

    /** The value of {@code field} for every request; empty if it depends on the request or is not given. */
    private static Optional<String> literal(MappingSettings mapping, TextField field) {
        return Optional.ofNullable(mapping.texts().get(field))
                .map(MappingSettings.Text::template)
                .filter(text -> !MappingTypes.isTemplated(text));
    }

    private void checkMatch(SectionReader match, MappingSettings mapping) {
        MappingSettings.Match given = mapping.match();
        CredentialHeaders withheld = CredentialHeaders.of(tokenHeaders, List.of(mapping));
        for (String name : given.headers().keySet()) {
            if (withheld.contains(name)) {
                match.problem(
                        MatchSection.HEADERS,
                        "has the header [" + name + "], which holds a token, a credential or a signature and never"
                                + " reaches a mapping",
                        "match by another header");
            }
        }
        String prefix = path.substring(1) + "/";
        if (given.path() != null && (given.path() + "/").startsWith(prefix)) {
            match.warn(
                    MatchSection.PATH_BELOW,
                    "begins with hooks.path, below which it is anyway: the address is " + path + "/" + given.path());
        }
    }

    private void checkAgent(SectionReader row, String id) {
        if (allowedAgentIds.isPresent() && !allowedAgentIds.get().contains(id)) {
            row.problem(
                    MappingFields.AGENT_ID,
                    "is [" + id + "], which is not in hooks.allowedAgentIds",
                    "add it there, or leave the setting out for the default agent");
        } else if (!agents.resolve(id).id().equals(id)) {
            row.warn(
                    MappingFields.AGENT_ID,
                    "is [" + id + "], which is no agent here; the default one, "
                            + agents.defaultAgent().id() + ", will act");
        }
    }

    /**
     * Checks that each tool of {@code mapping} that names its server is of one that the mapping's agent may use, or any
     * agent if requests choose it.
     *
     * @param agentId the agent that the mapping names for every request
     */
    private void checkTools(SectionReader row, MappingSettings mapping, Optional<String> agentId) {
        boolean chosen = mapping.transform() != null
                || (agentId.isEmpty() && mapping.texts().containsKey(TextField.AGENT_ID));
        AgentSettings.Agent agent = agents.resolve(agentId.orElse(null));
        Set<String> servers = (chosen ? agents.list().stream() : Stream.of(agent))
                .flatMap(each -> each.tools().mcp().stream())
                .collect(Collectors.toCollection(LinkedHashSet::new));
        String where = chosen ? "any agent" : "the agent " + agent.id();
        for (Setting<List<String>> setting : List.of(MappingFields.TOOLS, MappingFields.APPROVE)) {
            for (String tool : row.given(setting).orElse(List.of())) {
                AgentsSection.foreignServer(tool, servers)
                        .ifPresent(server -> row.problem(
                                setting,
                                "names [" + tool + "], whose server is not in tools.mcp of " + where,
                                AgentsSection.suggest(server, servers).replace("configure it", "add it there")));
            }
        }
    }

    private void checkChannel(SectionReader row, Action action, String id) {
        if (id.equals(Recipient.LAST)) {
            return;
        }
        Set<String> known = new LinkedHashSet<>(
                action == Action.DELIVER ? List.of(Recipient.INBOX) : List.of(Recipient.LAST, Recipient.INBOX));
        known.addAll(channels);
        if (known.contains(id)) {
            return;
        }
        if (action != Action.DELIVER && Recipient.CHATS.contains(id)) {
            row.warn(
                    MappingFields.CHANNEL,
                    "is [" + id + "], which is not configured below channels; replies will fail");
        } else {
            row.problem(
                    MappingFields.CHANNEL,
                    "is [" + id + "], which is no channel here",
                    AgentsSection.suggest(id, known));
        }
    }

    /** Checks that a mapping without an agent names its channel: no session says where an earlier reply went. */
    private static void checkNamed(SectionReader row, MappingSettings mapping) {
        MappingSettings.@Nullable Text channel = mapping.texts().get(TextField.CHANNEL);
        String instead = "name the channel that gets the text, such as inbox";
        if (channel == null && !row.contains(MappingFields.CHANNEL)) {
            row.problem(MappingFields.CHANNEL, "is missing, which action deliver needs", instead);
        } else if (channel != null && channel.template().equals(Recipient.LAST)) {
            row.problem(MappingFields.CHANNEL, "is last, but without an agent there is no last reply", instead);
        }
    }

    /**
     * Checks a thinking level against those of all models here. The model of a turn may depend on the request; policy
     * checks that later.
     */
    void checkThinking(SectionReader section, Setting<String> setting, String level) {
        List<String> known = Stream.concat(
                        ThinkingLevels.LEVELS.stream(),
                        providers.values().stream().flatMap(provider -> provider.thinkingLevels().stream()))
                .distinct()
                .toList();
        if (!known.contains(level)) {
            section.problem(
                    setting,
                    "is [" + level + "], which is no level of any model here",
                    AgentsSection.suggest(level, known)
                            .replace("configure it", "add it to thinkingLevels below providers"));
        }
    }

    /** Checks a model for the time in which a provider is down. Without a provider of its own it is of no use. */
    private void checkFallback(SectionReader row, @Nullable String agentId, String model) {
        AgentSettings.Agent agent = agents.resolve(agentId);
        List<String> ids = agent.allowed(List.of(model));
        if (ids.isEmpty()) {
            row.problem(
                    MappingFields.FALLBACKS,
                    "names [" + model + "], which is not among the models of the agent " + agent.id(),
                    "name some of "
                            + agent.models()
                                    .map(AgentSettings.Models::ids)
                                    .map(all -> String.join(", ", all))
                                    .orElse("")
                            + ", or add it to models");
            return;
        }
        String provider = ids.get(0).split("/", 2)[0];
        if (!providers.containsKey(provider) && !provider.equals(ProvidersSection.OFFLINE)) {
            row.problem(
                    MappingFields.FALLBACKS,
                    "names [" + model + "], but there is no provider " + provider,
                    AgentsSection.suggest(provider, providers.keySet())
                            .replace("configure it", "add it below providers"));
        }
    }

    /**
     * Checks a model against its agent's list of models.
     *
     * @param agentId null for the default agent
     */
    void checkModel(SectionReader section, Setting<String> setting, @Nullable String agentId, String model) {
        AgentSettings.Agent agent = agents.resolve(agentId);
        Optional<AgentSettings.Models> models = agent.models();
        String id = models.map(allowed -> allowed.aliases().get(model)).orElse(model);
        if (models.isPresent() && !models.get().ids().contains(id)) {
            section.problem(
                    setting,
                    "is [" + model + "], which is not among the models of the agent " + agent.id(),
                    "write one of " + String.join(", ", models.get().ids()) + ", or add it to models");
        } else if (!providers.containsKey(id.split("/", 2)[0])) {
            section.warn(setting, "is [" + model + "], whose provider is not configured; its runs will fail");
        }
    }
}
