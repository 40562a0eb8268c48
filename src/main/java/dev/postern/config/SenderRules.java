package dev.postern.config;

import dev.postern.config.SettingDeclaration.Setting;
import dev.postern.model.Recipient;
import dev.postern.model.Secret;
import dev.postern.model.SessionKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The rules for senders: what they name has to exist, and be within what the hooks and the agents allow. */
final class SenderRules {

    private static final Set<String> BARE = Set.of("wake", "agent");

    private final HookSettings hooks;
    private final AgentSettings agents;
    private final List<String> channels;
    private final Map<String, String> others = new HashMap<>();

    /**
     * @param channels the ids of the configured channels
     * @param others the secrets that are used for something else, by setting
     */
    SenderRules(HookSettings hooks, AgentSettings agents, Set<String> channels, Map<String, Secret> others) {
        this.hooks = hooks;
        this.agents = agents;
        this.channels = Stream.of(
                        Stream.of(Recipient.LAST, Recipient.INBOX), Recipient.CHATS.stream(), channels.stream())
                .flatMap(names -> names)
                .distinct()
                .toList();
        hooks.tokens().forEach(token -> this.others.put(SenderToken.hash(token), "hooks.token"));
        others.forEach((setting, secret) -> this.others.putIfAbsent(SenderToken.hash(secret), setting));
    }

    /** Checks a token that is given itself, and not its hash alone. */
    void checkToken(SectionReader entry, Secret token) {
        HookTokenRules.check(entry, SendersSection.TOKEN, token);
        if (SenderToken.isDamaged(token.reveal())) {
            entry.problem(
                    SendersSection.TOKEN,
                    "begins with pst_, but its checksum is wrong",
                    "copy the whole token, or make another with token new");
        }
    }

    /** Checks that each of the sender's tokens is its own. */
    void checkHashes(String id, SectionReader entry, Setting<?> setting, List<String> hashes) {
        if (hashes.size() > 1 && Set.copyOf(hashes).size() < hashes.size()) {
            entry.problem(setting, "holds the same token twice", "write each token once");
            return;
        }
        for (String hash : hashes) {
            @Nullable String other = others.putIfAbsent(hash, "a token of senders." + id);
            if (other != null) {
                entry.problem(
                        setting, "is the same secret as " + other, "take a token that is used for this sender alone");
            }
        }
    }

    /** Warns of hooks that no mapping has. */
    void checkHooks(SectionReader entry, List<String> patterns) {
        if (entry.contains(SendersSection.HOOKS)
                && patterns.isEmpty()
                && entry.given(SendersSection.HOOKS).isPresent()) {
            entry.warn(SendersSection.HOOKS, "is an empty list, so that the sender may call nothing");
        }
        List<@Nullable String> paths = new ArrayList<>();
        hooks.mappings().forEach(mapping -> paths.add(mapping.match().path()));
        if (paths.contains(null)) {
            return; // that mapping takes any path
        }
        for (String pattern : patterns) {
            boolean known = Stream.concat(BARE.stream(), paths.stream())
                    .anyMatch(path -> SenderSettings.covers(pattern, String.valueOf(path)));
            if (!known) {
                entry.warn(
                        SendersSection.HOOKS,
                        "has [" + pattern + "], which is no hook; requests there are answered 404");
            }
        }
    }

    void checkAgents(SectionReader entry, List<String> ids) {
        List<String> known = agents.list().stream().map(AgentSettings.Agent::id).toList();
        for (String id : ids) {
            if (!known.contains(id)) {
                entry.problem(
                        SendersSection.AGENTS, "has [" + id + "], which is no agent", AgentsSection.suggest(id, known));
            } else if (hooks.allowedAgentIds().isPresent()
                    && !hooks.allowedAgentIds().get().contains(id)
                    && !agents.defaultAgent().id().equals(id)) {
                entry.problem(
                        SendersSection.AGENTS,
                        "has [" + id + "], which is not in hooks.allowedAgentIds",
                        "add it there, or remove it here");
            }
        }
    }

    void checkPrefixes(SectionReader entry, List<String> prefixes) {
        Optional<List<String>> allowed = hooks.sessionKeys().prefixes();
        for (String prefix : prefixes) {
            if (SessionKey.isReserved(prefix)) {
                entry.warn(
                        SendersSection.SESSION_KEY_PREFIXES,
                        "has [" + prefix + "], which allows nothing; such sessions are Postern's own");
            } else if (allowed.isPresent()
                    && allowed.get().stream().noneMatch(each -> prefix.startsWith(each) || each.startsWith(prefix))) {
                entry.problem(
                        SendersSection.SESSION_KEY_PREFIXES,
                        "has [" + prefix + "], outside hooks.allowedSessionKeyPrefixes",
                        "let it begin with one of " + String.join(", ", allowed.get()));
            }
        }
    }

    void checkChannels(SectionReader entry, List<String> names) {
        for (String name : names) {
            if (!channels.contains(name)) {
                entry.problem(
                        SendersSection.CHANNELS,
                        "has [" + name + "], which is no channel",
                        AgentsSection.suggest(name, channels));
            }
        }
    }

    /** The ids of the models {@code names}, each an id or an alias of an agent that the hooks reach. */
    List<String> models(SectionReader entry, List<String> names) {
        Set<String> ids = new LinkedHashSet<>();
        for (String name : names) {
            List<String> resolved = Stream.concat(
                            agents.defaults().models().stream(),
                            agents.list().stream().flatMap(agent -> agent.models().stream()))
                    .flatMap(models -> Stream.ofNullable(models.aliases().get(name)))
                    .distinct()
                    .toList();
            if (resolved.isEmpty()) {
                checkModel(entry, name);
                ids.add(name);
            }
            ids.addAll(resolved);
        }
        return List.copyOf(ids);
    }

    private void checkModel(SectionReader entry, String id) {
        if (!ListTypes.MODEL_ID.matcher(id).matches()) {
            entry.problem(
                    SendersSection.MODELS,
                    "has [" + id + "], which is no model id and no alias",
                    "write <provider>/<model> or an alias of models");
            return;
        }
        boolean usable = agents.list().stream()
                .anyMatch(agent ->
                        agent.models().isEmpty() || agent.models().get().ids().contains(id));
        if (!usable) {
            entry.problem(
                    SendersSection.MODELS,
                    "has [" + id + "], which no agent may use",
                    "write a model of agents.defaults.models, or add it there");
        }
    }
}
