package dev.postern.config;

import dev.postern.config.ListTypes.TextList;
import dev.postern.config.ScalarTypes.Flag;
import dev.postern.config.ScalarTypes.Text;
import dev.postern.config.ScalarTypes.Whole;
import dev.postern.config.SettingDeclaration.Group;
import dev.postern.config.SettingDeclaration.Setting;
import dev.postern.model.Secret;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The section {@code hooks}: the authentication of requests, the actions they may ask for, and their limits. */
final class HooksSection {

    private HooksSection() {}

    private static final Pattern PATH = Pattern.compile("(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+");
    private static final Set<String> TAKEN = Set.of("health", "metrics", "console");
    private static final int DAY = 86_400;

    /** The headers that may carry the token with any settings. */
    private static final List<String> CARRIERS = List.of("authorization", "x-service-token");

    private static final String DEFAULT_PATH = "/hooks";

    static final Setting<Boolean> ENABLED = Setting.of("enabled", new Flag(), false, "Turns the webhook interface on.");
    static final Setting<List<Secret>> TOKEN = Setting.optional(
            "token",
            new SecretTypes.Credentials(2),
            "The secret that opens every hook, needed when enabled without senders; a list of two while it is changed.");
    static final Setting<String> PATH_PREFIX = Setting.of(
            "path",
            new Text("a path such as /hooks"),
            DEFAULT_PATH,
            "Where the hooks are, below the web app's own address.");
    static final Setting<List<String>> TOKEN_HEADERS = Setting.optional(
            "tokenHeaders",
            new TextList(new Text("a header name", ScalarTypes.HEADER_NAME)),
            "Further request headers that may carry the token, besides Authorization and x-service-token.");
    static final Setting<List<String>> ALLOWED_AGENT_IDS = Setting.optional(
            "allowedAgentIds",
            new TextList(new Text("an agent's id, or *")),
            "Agents that a request may name. Left out or with *: any; empty: none.");
    static final Setting<String> DEFAULT_SESSION_KEY = Setting.optional(
            "defaultSessionKey",
            new Text("a session key"),
            "The session of agent runs for which nobody names one. Without it each run has its own.");
    static final Setting<Boolean> ALLOW_REQUEST_SESSION_KEY =
            Setting.of("allowRequestSessionKey", new Flag(), false, "Whether a request may name its session.");
    static final Setting<List<String>> ALLOWED_SESSION_KEY_PREFIXES = Setting.optional(
            "allowedSessionKeyPrefixes",
            new TextList(new Text("the beginning of a session key")),
            "What a session key that is named has to begin with. Left out: anything.");
    static final Setting<Integer> MAX_BODY_BYTES =
            Setting.of("maxBodyBytes", new Whole(1, 104_857_600), 262_144, "The largest request body, in bytes.");
    static final Setting<Integer> BODY_TIMEOUT_SECONDS = Setting.of(
            "bodyTimeoutSeconds", new Whole(1, 3_600), 30, "How long a request body may take to arrive, in seconds.");

    static final Setting<Integer> FAILURES =
            Setting.of("failures", new Whole(1, 1_000), 20, "Wrong or missing tokens that lock a client address out.");
    static final Setting<Integer> WINDOW_SECONDS =
            Setting.of("windowSeconds", new Whole(1, DAY), 60, "Seconds within which they count together.");
    static final Setting<Integer> LOCKOUT_SECONDS =
            Setting.of("lockoutSeconds", new Whole(1, DAY), 60, "Seconds for which the client stays locked out.");
    static final Group THROTTLE =
            Group.of("throttle", "When a client is locked out.", FAILURES, WINDOW_SECONDS, LOCKOUT_SECONDS);

    static final Setting<Duration> IDEMPOTENCY_TTL = Setting.of(
            "idempotencyTtl",
            new DurationType(Duration.ofSeconds(1), Duration.ofDays(365), false),
            "24h",
            "How long a repeated idempotency key gets the first answer again.");
    static final Setting<Integer> MAX_PENDING = Setting.of(
            "maxPending",
            new Whole(1, 10_000_000),
            100_000,
            "Accepted but unfinished actions past which requests are answered 503.");

    static final Group HOOKS = Group.of(
            "hooks",
            "The webhook interface: authentication of requests, the actions they may ask for, and their limits.",
            ENABLED,
            TOKEN,
            PATH_PREFIX,
            TOKEN_HEADERS,
            ALLOWED_AGENT_IDS,
            DEFAULT_SESSION_KEY,
            ALLOW_REQUEST_SESSION_KEY,
            ALLOWED_SESSION_KEY_PREFIXES,
            MAX_BODY_BYTES,
            BODY_TIMEOUT_SECONDS,
            THROTTLE,
            IDEMPOTENCY_TTL,
            MAX_PENDING,
            MappingFields.MAPPINGS,
            PresetMappings.PRESETS,
            PresetMappings.SIGNING_SECRETS,
            CoalesceSection.OF_PRESETS,
            SourceSection.OF_PRESETS,
            TransformSection.DIRECTORY,
            GmailFields.GMAIL,
            SnsSection.SNS);

    /**
     * Reads {@code hooks}.
     *
     * @param agents the agents that mapped hooks can name
     * @param channels the channels that answer the sources of mapped hooks
     * @param channelNames the names by which mapped hooks can call channels
     * @param providers the providers whose models mapped hooks can name, by id
     * @param console who can use the console
     * @param haveSenders whether senders have tokens of their own, so that {@code hooks.token} may be left out
     */
    static HookSettings read(
            SectionReader hooks,
            AgentSettings agents,
            SourceReplyRules channels,
            Set<String> channelNames,
            Map<String, Settings.Provider> providers,
            Settings.Access console,
            boolean haveSenders) {
        SectionReader throttle = hooks.section(THROTTLE);
        SessionKeyRules keys = SessionKeyRules.of(hooks);
        Optional<String> defaultKey = hooks.given(DEFAULT_SESSION_KEY);
        keys.checkDefault(hooks, defaultKey);
        if (hooks.get(ALLOW_REQUEST_SESSION_KEY) && !hooks.contains(ALLOWED_SESSION_KEY_PREFIXES)) {
            hooks.warn(
                    ALLOW_REQUEST_SESSION_KEY,
                    "lets anyone who has the token write into any session; name prefixes in"
                            + " hooks.allowedSessionKeyPrefixes");
        }
        String path = path(hooks);
        List<String> tokenHeaders = tokenHeaders(hooks);
        Optional<List<String>> allowedAgentIds = hooks.given(ALLOWED_AGENT_IDS).filter(ids -> !ids.contains("*"));
        checkAgents(hooks, allowedAgentIds.orElse(List.of()), agents);
        Path transforms = TransformSection.directory(hooks);
        List<String> carriers =
                Stream.concat(CARRIERS.stream(), tokenHeaders.stream()).toList();
        MappingRules rules =
                new MappingRules(path, carriers, allowedAgentIds, keys, agents, channelNames, providers, console);
        GmailSection gmail = GmailSection.of(hooks);
        List<MappingSettings> mappings = MappingsSection.read(hooks, rules, channels, gmail, transforms);
        checkIdempotencyTtl(hooks, mappings);
        boolean preset = hooks.given(PresetMappings.PRESETS).orElse(List.of()).contains(MailboxSettings.HOOK);
        return new HookSettings(
                /* enabled= */ hooks.get(ENABLED),
                path,
                /* tokens= */ tokens(hooks, haveSenders),
                tokenHeaders,
                allowedAgentIds,
                /* sessionKeys= */ new HookSettings.SessionKeys(
                        defaultKey.orElse(null), hooks.get(ALLOW_REQUEST_SESSION_KEY), keys.prefixes()),
                /* bodies= */ new HookSettings.Bodies(
                        hooks.get(MAX_BODY_BYTES),
                        gmail.maxBodyBytes(hooks.get(MAX_BODY_BYTES), preset),
                        DeclaredSettings.seconds(hooks.get(BODY_TIMEOUT_SECONDS))),
                /* throttle= */ new HookSettings.Throttle(
                        throttle.get(FAILURES),
                        DeclaredSettings.seconds(throttle.get(WINDOW_SECONDS)),
                        DeclaredSettings.seconds(throttle.get(LOCKOUT_SECONDS))),
                /* idempotencyTtl= */ hooks.get(IDEMPOTENCY_TTL),
                /* maxPending= */ hooks.get(MAX_PENDING),
                /* transformsRoot= */ transforms,
                mappings,
                /* mailbox= */ gmail.mailbox(hooks, mappings));
    }

    private static void checkAgents(SectionReader hooks, List<String> ids, AgentSettings agents) {
        Set<String> known = agents.list().stream().map(AgentSettings.Agent::id).collect(Collectors.toSet());
        for (String id : ids) {
            if (!known.contains(id)) {
                hooks.warn(ALLOWED_AGENT_IDS, "has [" + id + "], which is no agent; it allows nothing");
            }
        }
    }

    /** Warns where a copy of a signed request would be a new request, although its signature is still valid. */
    private static void checkIdempotencyTtl(SectionReader hooks, List<MappingSettings> mappings) {
        Duration ttl = hooks.get(IDEMPOTENCY_TTL);
        for (MappingSettings mapping : mappings) {
            Duration validity = mapping.verify() == null
                    ? Duration.ZERO
                    : mapping.verify().validity().orElse(Duration.ZERO);
            if (validity.compareTo(ttl) > 0) {
                hooks.warn(
                        IDEMPOTENCY_TTL,
                        "is shorter than the " + validity.toSeconds() + " s for which a signed request is valid at "
                                + mapping.where() + "; a copy of it would be a new request");
                return;
            }
        }
    }

    private static String path(SectionReader hooks) {
        String given = hooks.get(PATH_PREFIX);
        String path = ("/" + given).replaceAll("^/+", "/").replaceAll("/+$", "");
        if (path.isEmpty()) {
            hooks.problem(PATH_PREFIX, "is [/], which would claim every address", "write a path such as /hooks");
            return DEFAULT_PATH;
        }
        if (!PATH.matcher(path).matches()) {
            hooks.problem(
                    PATH_PREFIX,
                    "is [" + given + "]",
                    "write a path such as /hooks, of segments with A-Z a-z 0-9 . _ ~ - that don't begin with a dot");
        } else if (TAKEN.contains(path.split("/", -1)[1])) {
            hooks.problem(
                    PATH_PREFIX, "is [" + given + "], where Postern's own pages are", "write a path such as /hooks");
        }
        return path;
    }

    private static List<Secret> tokens(SectionReader hooks, boolean haveSenders) {
        List<Secret> tokens = hooks.given(TOKEN).orElse(List.of());
        if (hooks.get(ENABLED) && !hooks.contains(TOKEN) && !haveSenders) {
            hooks.problem(
                    TOKEN,
                    "is missing while hooks.enabled is true and there are no senders",
                    "write a long random text, ${env:NAME} or ${file:secrets/hook-token}");
        }
        if (tokens.size() > 1 && Set.copyOf(tokens).size() < tokens.size()) {
            hooks.problem(TOKEN, "holds the same token twice", "write each token once");
        }
        for (Secret token : tokens) {
            HookTokenRules.check(hooks, TOKEN, token);
        }
        return tokens;
    }

    private static List<String> tokenHeaders(SectionReader hooks) {
        List<String> names = hooks.given(TOKEN_HEADERS).orElse(List.of());
        return names.stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .distinct()
                .toList();
    }
}
