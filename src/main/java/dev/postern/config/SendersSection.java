package dev.postern.config;

import dev.postern.config.ListTypes.TextList;
import dev.postern.config.ScalarTypes.Flag;
import dev.postern.config.ScalarTypes.Text;
import dev.postern.config.ScalarTypes.Whole;
import dev.postern.config.SettingDeclaration.Group;
import dev.postern.config.SettingDeclaration.Setting;
import dev.postern.config.SettingDeclaration.Table;
import dev.postern.model.Secret;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The section {@code senders}: who may call which hooks with a token of their own, and what they may ask for there. */
final class SendersSection {

    private SendersSection() {}

    /** The most tokens of one sender. */
    static final int MAX_TOKENS = 2;

    private static final Pattern HOOK = Pattern.compile("[^\\s/*]+(/[^\\s/*]+)*(/\\*)?");

    static final Setting<List<Secret>> TOKEN = Setting.optional(
            "token",
            new SecretTypes.Credentials(MAX_TOKENS),
            "The sender's own secret, in place of hooks.token; a list of two while it is changed.");
    static final Setting<List<String>> TOKEN_SHA256 = Setting.optional(
            "tokenSha256",
            new TokenHashType(MAX_TOKENS),
            "Or else the secret's SHA-256 alone, as token new writes it; a list of two while it is changed.");
    static final Setting<List<String>> HOOKS = Setting.needed(
            "hooks",
            new TextList(new Text("a hook such as wake or github/push, or github/* for all below github/", HOOK)),
            "The hooks that it may call, by name or as prefix/*. It may call wake and agent only where they are named.");
    static final Setting<List<String>> AGENTS = Setting.optional(
            "agents",
            new TextList(new Text("an agent's id")),
            "The agents that it may reach. Left out: all that the hooks may.");
    static final Setting<List<String>> SESSION_KEY_PREFIXES = Setting.optional(
            "sessionKeyPrefixes",
            new TextList(new Text("the beginning of a session key")),
            "What the session keys of its runs have to begin with, unless they are generated. Left out: anything.");
    static final Setting<List<String>> MODELS = Setting.optional(
            "models",
            new TextList(new Text("a model's id <provider>/<model>, or an alias")),
            "The models that its runs may use. Left out: all that their agents may.");
    static final Setting<List<String>> CHANNELS = Setting.optional(
            "channels",
            new TextList(new Text("a channel's id, last or inbox")),
            "The channels that replies to its runs may go to; last is where a request goes that names none. Left out: all.");
    static final Setting<SenderSettings.Rate> RATE = Setting.optional(
            "rate",
            new RateType(),
            "How many requests it may send: a number, and the time in which as many become free again.");
    static final Setting<Instant> EXPIRES = Setting.optional(
            "expires", new InstantType(), "When its token stops working: a date, or a time with its offset.");
    static final Setting<Boolean> DISABLED =
            Setting.of("disabled", new Flag(), false, "Whether its token has stopped working.");
    static final Setting<Integer> MAX_PENDING = Setting.optional(
            "maxPending",
            new Whole(1, 10_000_000),
            "Accepted but unfinished actions of its own past which its requests are answered 503.");

    static final Group SENDER = Group.of(
            "sender",
            "A sender.",
            TOKEN,
            TOKEN_SHA256,
            HOOKS,
            AGENTS,
            SESSION_KEY_PREFIXES,
            MODELS,
            CHANNELS,
            RATE,
            EXPIRES,
            DISABLED,
            MAX_PENDING);

    static final Table SENDERS = new Table(
            "senders",
            "Who may call which hooks with a token of their own, by ids of your choice. hooks.token opens everything.",
            List.of(SENDER),
            List.of());

    /**
     * Reads {@code senders}.
     *
     * @param others the secrets that are used for something else, by setting
     */
    static Map<String, SenderSettings> read(
            SectionReader root,
            HookSettings hooks,
            AgentSettings agents,
            Set<String> channels,
            Map<String, Secret> others) {
        SenderRules rules = new SenderRules(hooks, agents, channels, others);
        Map<String, SenderSettings> senders = new LinkedHashMap<>();
        root.entries(SENDERS).forEach((id, entry) -> {
            if (entry.isMap()) {
                senders.put(id, sender(id, entry, rules));
            }
        });
        return senders;
    }

    private static SenderSettings sender(String id, SectionReader entry, SenderRules rules) {
        List<String> hooks = entry.given(HOOKS).orElse(List.of());
        rules.checkHooks(entry, hooks);
        rules.checkAgents(entry, entry.given(AGENTS).orElse(List.of()));
        rules.checkPrefixes(entry, entry.given(SESSION_KEY_PREFIXES).orElse(List.of()));
        rules.checkChannels(entry, entry.given(CHANNELS).orElse(List.of()));
        entry.given(EXPIRES)
                .filter(end -> !Instant.now().isBefore(end))
                .ifPresent(end -> entry.warn(EXPIRES, "has passed; a request with its token is answered 401"));
        return new SenderSettings(
                id,
                tokenHashes(id, entry, rules),
                hooks,
                new SenderSettings.Scope(
                        entry.given(AGENTS),
                        entry.given(SESSION_KEY_PREFIXES),
                        entry.given(MODELS).map(names -> rules.models(entry, names)),
                        entry.given(CHANNELS)),
                entry.given(EXPIRES).orElse(null),
                entry.get(DISABLED),
                entry.given(RATE).orElse(null),
                entry.given(MAX_PENDING).orElse(null));
    }

    private static List<String> tokenHashes(String id, SectionReader entry, SenderRules rules) {
        if (entry.contains(TOKEN) && entry.contains(TOKEN_SHA256)) {
            entry.problem(TOKEN_SHA256, "is given beside token", "write one of the two");
        } else if (!entry.contains(TOKEN) && !entry.contains(TOKEN_SHA256)) {
            entry.problem(
                    TOKEN,
                    "is missing, and so is tokenSha256",
                    "run java -jar postern.war token new, or write ${env:NAME} or ${file:secrets/name}");
        }
        Optional<List<Secret>> tokens = entry.given(TOKEN);
        tokens.orElse(List.of()).forEach(token -> rules.checkToken(entry, token));
        List<String> hashes = tokens.map(
                        secrets -> secrets.stream().map(SenderToken::hash).toList())
                .or(() -> entry.given(TOKEN_SHA256))
                .orElse(List.of());
        rules.checkHashes(id, entry, entry.contains(TOKEN) ? TOKEN : TOKEN_SHA256, hashes);
        return hashes;
    }
}
