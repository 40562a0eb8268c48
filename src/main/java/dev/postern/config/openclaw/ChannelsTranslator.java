package dev.postern.config.openclaw;

import dev.postern.config.ConfigurationNode.Fields;
import dev.postern.config.ConfigurationNode.Scalar;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A translator of the section {@code channels}. Each account of a channel becomes a channel of its own. */
final class ChannelsTranslator {

    private static final String BOT_TOKEN = "botToken";
    private static final String BASE_URL = "baseUrl";
    private static final String TOKEN_FILE = "tokenFile";
    private static final String TRANSPORT = "transport";
    private static final String LIMIT = "textChunkLimit";
    private static final String ACCOUNTS = "accounts";
    private static final String DEFAULT_ACCOUNT = "default";

    /** The settings that are no channel. */
    private static final Map<String, String> NO_CHANNELS = Map.of(
            "defaults", "Postern takes no chat messages",
            "modelByChannel", "write model on a mapping or an agent");

    private static final Map<String, String> OTHER_KINDS = Map.of(
            "whatsapp",
                    "OpenClaw is a linked device of WhatsApp Web, and Postern uses the Cloud API; write accessToken and phoneNumberId",
            "imessage",
                    "OpenClaw runs imsg on a Mac, and Postern uses a BlueBubbles server; write baseUrl and password");

    private static final String ELSE =
            "Postern has no channel of that kind; one of kind webhook posts replies to a program";
    private static final String INBOUND = "Postern sends replies, and takes no chat messages";
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    /** The environment variables that OpenClaw takes the token of a default account from. */
    private static final Map<String, String> VARIABLES = Map.of(
            "telegram", "TELEGRAM_BOT_TOKEN",
            "discord", "DISCORD_BOT_TOKEN",
            "slack", "SLACK_BOT_TOKEN",
            "mattermost", "MATTERMOST_BOT_TOKEN");

    /**
     * The settings of a channel that are those of its accounts too, by its kind. A bot of Teams has its identity for itself. Of
     * Signal's accounts the default one alone has the channel's transport.
     */
    private static final Map<String, Set<String>> INHERITED = Map.of(
            "telegram", Set.of(BOT_TOKEN, TOKEN_FILE, "apiRoot", LIMIT),
            "discord", Set.of("token", LIMIT),
            "slack", Set.of(BOT_TOKEN, LIMIT),
            "mattermost", Set.of(BOT_TOKEN, BASE_URL, LIMIT),
            "signal", Set.of("account", "httpUrl", "apiMode", TRANSPORT, LIMIT),
            "msteams", Set.of("tenantId", LIMIT),
            "bluebubbles", Set.of("serverUrl", "password", LIMIT));

    private final ImportContext context;

    ChannelsTranslator(ImportContext context) {
        this.context = context;
    }

    Fields translate(OpenClawSection channels) {
        SettingsBuilder settings = new SettingsBuilder(channels.origin());
        NO_CHANNELS.forEach(channels::skip);
        OTHER_KINDS.forEach(channels::skip);
        for (String kind : INHERITED.keySet().stream().sorted().toList()) {
            channels.section(kind).ifPresent(section -> channel(kind, section, settings));
        }
        channels.skipRest(Map.of(), ELSE);
        return settings.build();
    }

    private void channel(String kind, OpenClawSection section, SettingsBuilder channels) {
        if (isOff(section)) {
            return;
        }
        Map<String, OpenClawSection> accounts = accounts(kind, section);
        String standard = standard(accounts, section.text("defaultAccount"));
        accounts.forEach((id, account) -> {
            String channel = id.equals(standard) ? kind : kind + "-" + id;
            if (!ID.matcher(channel).matches()) {
                context.notes().notTaken(account.origin(), account.path(), "an id has A-Z a-z 0-9 . _ - only");
            } else if (!isOff(account)) {
                inherit(kind, id, account, section);
                put(kind, channel, account, channels, isSame(id, DEFAULT_ACCOUNT));
            }
        });
        INHERITED.getOrDefault(kind, Set.of()).forEach(section::node);
        section.skipRest(Map.of(), INBOUND);
    }

    /** The accounts by id. The channel itself is the default account if it has a login, or no accounts. */
    private static Map<String, OpenClawSection> accounts(String kind, OpenClawSection section) {
        Map<String, OpenClawSection> named =
                section.section(ACCOUNTS).map(OpenClawSection::entries).orElse(Map.of());
        Map<String, OpenClawSection> accounts = new LinkedHashMap<>();
        if (named.keySet().stream().noneMatch(id -> isSame(id, DEFAULT_ACCOUNT))
                && (named.isEmpty() || hasCredentials(kind, section))) {
            accounts.put(DEFAULT_ACCOUNT, section);
        }
        accounts.putAll(named);
        return accounts;
    }

    /** The id of the account that sends what names the channel alone: that of the setting, the default one, or the first. */
    private static String standard(Map<String, OpenClawSection> accounts, Optional<Scalar> setting) {
        return Stream.concat(setting.map(Scalar::text).stream(), Stream.of(DEFAULT_ACCOUNT))
                .flatMap(name -> accounts.keySet().stream().filter(id -> isSame(id, name)))
                .findFirst()
                .orElseGet(() -> accounts.keySet().stream()
                        .min(Comparator.comparing((String id) -> AgentIdTranslator.translate(id)))
                        .orElse(DEFAULT_ACCOUNT));
    }

    /** Whether two ids are one in OpenClaw, which has the same form for those of accounts and of agents. */
    private static boolean isSame(String id, String other) {
        return AgentIdTranslator.translate(id).equals(AgentIdTranslator.translate(other));
    }

    /** Gives {@code account} what it has from its channel, as OpenClaw does. */
    private static void inherit(String kind, String id, OpenClawSection account, OpenClawSection channel) {
        if (account == channel) {
            return;
        }
        Set<String> names = new HashSet<>(INHERITED.getOrDefault(kind, Set.of()));
        if (hasCredentials(kind, account)) {
            names.removeAll(Set.of(BOT_TOKEN, TOKEN_FILE));
        }
        if (!isSame(id, DEFAULT_ACCOUNT)) {
            names.remove(TRANSPORT);
        }
        account.inherit(channel, names);
    }

    /** Whether a channel or an account is switched off, which is noted. */
    private boolean isOff(OpenClawSection section) {
        Optional<Scalar> enabled = section.flag("enabled");
        boolean off = enabled.map(Scalar::text).filter("false"::equals).isPresent();
        if (off) {
            context.notes().notTaken(section.origin(), section.path(), "it is switched off by enabled: false");
        }
        return off;
    }

    private static boolean hasCredentials(String kind, OpenClawSection section) {
        return switch (kind) {
            case "discord" -> section.contains("token");
            case "signal" -> section.contains("account");
            case "msteams" -> section.contains("appId");
            case "bluebubbles" -> section.contains("password");
            default -> section.contains(BOT_TOKEN) || section.contains(TOKEN_FILE);
        };
    }

    /** @param isDefault whether it is the default account, which may have its token in an environment variable */
    private void put(String kind, String id, OpenClawSection section, SettingsBuilder channels, boolean isDefault) {
        SettingsBuilder settings = new SettingsBuilder(section.origin());
        String posterns = kind.equals("bluebubbles") ? "imessage" : kind;
        settings.put("kind", SettingsBuilder.text(posterns, section.origin()));
        Optional<String> missing =
                switch (kind) {
                    case "signal" -> signal(section, settings);
                    case "msteams" -> teams(id, section, settings);
                    case "bluebubbles" -> blueBubbles(id, section, settings);
                    default -> bot(kind, id, section, settings, isDefault);
                };
        if (missing.isPresent()) {
            context.notes().notTaken(section.origin(), section.path(), missing.get());
        } else {
            channels.put(id, settings.put("textLimit", section.number(LIMIT)).build());
        }
        section.skipRest(Map.of(), INBOUND);
    }

    /** Puts the settings of a bot; returns what is missing. */
    private Optional<String> bot(
            String kind, String id, OpenClawSection section, SettingsBuilder settings, boolean isDefault) {
        String name = kind.equals("discord") ? "token" : BOT_TOKEN;
        Optional<Scalar> token = context.secrets()
                .translate(section.path(name), "channels-" + id + "-botToken", section.node(name))
                .or(() -> section.text(TOKEN_FILE).map(this::ofFile))
                .or(() -> isDefault
                        ? context.secrets()
                                .ofKnownVariable(String.valueOf(VARIABLES.get(kind)))
                                .map(reference -> SettingsBuilder.text(reference, section.origin()))
                        : Optional.empty());
        settings.put(BOT_TOKEN, token);
        if (kind.equals("telegram")) {
            settings.put(BASE_URL, section.text("apiRoot"));
        } else if (kind.equals("mattermost")) {
            settings.put(BASE_URL, section.text(BASE_URL));
        }
        return token.isPresent() ? Optional.empty() : Optional.of("its token is not in this file; write botToken");
    }

    private Scalar ofFile(Scalar file) {
        String path = file.text().strip();
        String absolute = path.startsWith("~/") ? context.userHome() + path.substring(1) : path;
        return SettingsBuilder.text("${file:" + absolute + "}", file.origin());
    }

    /** OpenClaw also speaks to signal-cli itself; Postern speaks to signal-cli-rest-api. */
    private Optional<String> signal(OpenClawSection section, SettingsBuilder settings) {
        settings.put("account", section.text("account"));
        Optional<OpenClawSection> transport = section.section(TRANSPORT);
        boolean container = transport
                .flatMap(each -> each.text("kind"))
                .map(Scalar::text)
                .or(() -> section.text("apiMode").map(Scalar::text))
                .filter("container"::equals)
                .isPresent();
        Optional<Scalar> url = transport.flatMap(each -> each.text("url")).or(() -> section.text("httpUrl"));
        settings.put(BASE_URL, url);
        return container && url.isPresent()
                ? Optional.empty()
                : Optional.of(
                        "it is signal-cli itself, and Postern uses signal-cli-rest-api; write its baseUrl and the account");
    }

    private Optional<String> teams(String id, OpenClawSection section, SettingsBuilder settings) {
        settings.put("appId", section.text("appId"));
        Optional<Scalar> password = context.secrets()
                .translate(section.path("appPassword"), "channels-" + id + "-appPassword", section.node("appPassword"));
        settings.put("appPassword", password).put("tenantId", section.text("tenantId"));
        return password.isPresent()
                ? Optional.empty()
                : Optional.of("it has no appPassword, the one login of Postern's bots");
    }

    private Optional<String> blueBubbles(String id, OpenClawSection section, SettingsBuilder settings) {
        Optional<Scalar> password = context.secrets()
                .translate(section.path("password"), "channels-" + id + "-password", section.node("password"));
        settings.put("password", password).put(BASE_URL, section.text("serverUrl"));
        return password.isPresent() ? Optional.empty() : Optional.of("it has no password; write it");
    }
}
