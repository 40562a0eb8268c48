package dev.postern.config;

import dev.postern.config.MappingSettings.Scheme;
import dev.postern.config.ScalarTypes.Address;
import dev.postern.config.ScalarTypes.Choice;
import dev.postern.config.ScalarTypes.Flag;
import dev.postern.config.ScalarTypes.Text;
import dev.postern.config.ScalarTypes.Whole;
import dev.postern.config.SettingDeclaration.Group;
import dev.postern.config.SettingDeclaration.Setting;
import dev.postern.config.SettingDeclaration.Table;
import dev.postern.model.Recipient;
import dev.postern.model.Secret;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The section {@code channels}: the channels that replies can go to, each kind with its credentials. */
final class ChannelsSection {

    private ChannelsSection() {}

    private static final Set<String> RESERVED = Set.of(Recipient.LAST, Recipient.INBOX, Settings.Heartbeat.NO_TARGET);
    private static final List<String> KINDS = Stream.concat(
                    Recipient.CHATS.stream(),
                    Stream.of(
                            "github",
                            "gitlab",
                            "jira",
                            "linear",
                            "pagerduty",
                            "sentry",
                            MailChannelRules.KIND,
                            "webhook"))
            .toList();

    static final Setting<String> KIND = Setting.optional(
            DeclaredSettings.KIND, new Choice(KINDS), "Which service it is; the id, where that is the name of a kind.");
    static final Setting<Secret> WEBHOOK_URL = Setting.optional(
            "webhookUrl",
            new SecretTypes.Credential(),
            "The address of a Workflows webhook; takes the place of the three settings above.");

    private static final Setting<URI> WEBHOOK_ADDRESS =
            Setting.needed("url", new Address(false), "Where the JSON of a reply is posted to.");
    private static final Setting<Boolean> ALLOW_PRIVATE = Setting.of(
            "allowPrivateAddresses", new Flag(), false, "Whether it may be on this machine or in your own network.");

    /** This machine, and the networks that nobody reaches from outside (RFC 1918, RFC 3927, RFC 4193, RFC 4291). */
    private static final Pattern PRIVATE_HOST = Pattern.compile(
            "localhost|127(\\.\\d+){3}|10(\\.\\d+){3}|192\\.168(\\.\\d+){2}|172\\.(1[6-9]|2\\d|3[01])(\\.\\d+){2}"
                    + "|169\\.254(\\.\\d+){2}|\\[(::1|f[cd].*|fe[89ab].*)]",
            Pattern.CASE_INSENSITIVE);

    private static final Setting<Secret> SIGNING_SECRET =
            credential("secret", "Signs the posts (Standard Webhooks): whsec_ and then base64.");

    private static final List<Setting<?>> TEAMS_BOT = List.of(
            Setting.optional("appId", new Text("the app's id"), "The bot's app id."),
            Setting.optional("appPassword", new SecretTypes.Credential(), "The bot's client secret."),
            Setting.optional("tenantId", new Text("the tenant's id"), "The tenant that the bot belongs to."));

    private static final Setting<Secret> GITHUB_TOKEN = Setting.optional(
            "token",
            new SecretTypes.Credential(),
            "A token that may comment: fine-grained, or of a bot's account; takes the place of the app.");
    private static final Setting<Secret> GITHUB_KEY =
            Setting.optional("privateKey", new SecretTypes.Credential(), "The app's private key, in PEM.");
    private static final List<Setting<?>> GITHUB_APP = List.of(
            Setting.optional("appId", new Text("the app's id"), "The id of a GitHub App, or its client id."),
            Setting.optional("installationId", new Text("the installation's id"), "The id of the app's installation."),
            GITHUB_KEY);

    private static final Pattern PEM_KEY = Pattern.compile("-----BEGIN (RSA )?PRIVATE KEY-----");

    static final Table CHANNELS = new Table(
            "channels",
            "Where replies can go, by ids of your choice. inbox, which keeps them for the console, is always there.",
            List.of(
                    kind(
                            "whatsapp",
                            credential("accessToken", "The access token of the Cloud API."),
                            Setting.needed(
                                    "phoneNumberId", new Text("the number's id"), "The id of the sending number."),
                            Setting.optional(
                                    "to",
                                    new Text("a number such as \"+4915112345678\", or a group's id"),
                                    "Where replies go for which no hook, session or heartbeat says where."),
                            baseUrl("https://graph.facebook.com/v24.0"),
                            textLimit(4096)),
                    kind("telegram", botToken(), baseUrl("https://api.telegram.org"), textLimit(4096)),
                    kind("discord", botToken(), baseUrl("https://discord.com/api/v10"), textLimit(2000)),
                    kind("slack", botToken(), baseUrl("https://slack.com/api"), textLimit(4000)),
                    kind("mattermost", botToken(), ownServer(), textLimit(16_383)),
                    kind(
                            "signal",
                            Setting.needed(
                                    "account", new Text("a number such as \"+491701234567\""), "The sending number."),
                            ownServer(),
                            textLimit(2000)),
                    kind(
                            "imessage",
                            credential("password", "The password of the BlueBubbles server."),
                            ownServer(),
                            textLimit(4000)),
                    kind(
                            "msteams",
                            TEAMS_BOT.get(0),
                            TEAMS_BOT.get(1),
                            TEAMS_BOT.get(2),
                            WEBHOOK_URL,
                            Setting.of(
                                    "loginUrl",
                                    new Address(true),
                                    "https://login.microsoftonline.com",
                                    "Where the bot gets its access tokens."),
                            baseUrl("https://smba.trafficmanager.net/teams"),
                            textLimit(12_000)),
                    kind(
                            "github",
                            GITHUB_TOKEN,
                            GITHUB_APP.get(0),
                            GITHUB_APP.get(1),
                            GITHUB_KEY,
                            account("login, such as my-bot or my-app[bot]"),
                            allowMentions(),
                            baseUrl("https://api.github.com"),
                            textLimit(65_000)),
                    kind(
                            "gitlab",
                            credential("token", "A personal, project or group access token with the scope api."),
                            account("username"),
                            allowMentions(),
                            baseUrl("https://gitlab.com/api/v4"),
                            textLimit(999_000)),
                    kind(
                            "jira",
                            Setting.needed(
                                    "email",
                                    new Text("a mail address"),
                                    "The mail address of the account that comments."),
                            credential("token", "The account's API token."),
                            account("account id"),
                            Setting.needed("baseUrl", new Address(true), "Your site's address."),
                            textLimit(30_000)),
                    kind(
                            "linear",
                            credential("apiKey", "An API key that may create comments."),
                            account("user id"),
                            allowMentions(),
                            baseUrl("https://api.linear.app"),
                            textLimit(20_000)),
                    kind(
                            "pagerduty",
                            credential("apiKey", "An API key that may write."),
                            Setting.needed(
                                    "from",
                                    new Text("a mail address"),
                                    "The mail address of the user in whose name notes are added."),
                            account("user id"),
                            baseUrl("https://api.pagerduty.com"),
                            textLimit(20_000)),
                    kind(
                            "sentry",
                            credential("token", "An auth token with the scope event:write."),
                            account("user id"),
                            allowMentions(),
                            baseUrl("https://sentry.io"),
                            textLimit(20_000)),
                    kind(
                            MailChannelRules.KIND,
                            Stream.concat(MailChannelRules.SETTINGS.stream(), Stream.of(textLimit(100_000)))
                                    .toArray(Setting<?>[]::new)),
                    kind("webhook", WEBHOOK_ADDRESS, SIGNING_SECRET, ALLOW_PRIVATE, textLimit(1_000_000))),
            KINDS);

    private static Group kind(String name, Setting<?>... settings) {
        List<SettingDeclaration> members = new ArrayList<>(List.of(KIND));
        members.addAll(List.of(settings));
        return new Group(name, "A channel of kind " + name + ".", members);
    }

    private static Setting<Secret> botToken() {
        return credential("botToken", "The bot's token.");
    }

    private static Setting<Secret> credential(String name, String does) {
        return Setting.needed(name, new SecretTypes.Credential(), does);
    }

    /** @param form the form in which the service's events name an account */
    private static Setting<?> account(String form) {
        return Setting.optional(
                SourceReplyRules.ACCOUNT,
                new Text("the account's " + form),
                "The " + form + ", of the account of these credentials; replyTo needs it.");
    }

    private static Setting<?> allowMentions() {
        return Setting.of(
                "allowMentions", new Flag(), false, "Whether mentions and references in a reply have an effect.");
    }

    private static Setting<?> baseUrl(String byDefault) {
        return Setting.of("baseUrl", new Address(true), byDefault, "The service's address.");
    }

    private static Setting<?> ownServer() {
        return Setting.needed("baseUrl", new Address(true), "Your server's address.");
    }

    private static Setting<?> textLimit(int byDefault) {
        return Setting.of(
                "textLimit", new Whole(100, 10_000_000), byDefault, "Longer replies are split, in characters.");
    }

    static Map<String, Settings.Channel> read(SectionReader root) {
        Map<String, Settings.Channel> channels = new LinkedHashMap<>();
        root.entries(CHANNELS).forEach((id, entry) -> {
            if (RESERVED.contains(id)) {
                entry.problem(KIND, "has the id [" + id + "], which has a meaning of its own", "choose another id");
            }
            Settings.Channel channel = channel(id, entry);
            if (channel.kind().equals("msteams")) {
                checkAlternatives(entry, WEBHOOK_URL, TEAMS_BOT, "bot");
            } else if (channel.kind().equals("github")) {
                checkAlternatives(entry, GITHUB_TOKEN, GITHUB_APP, "app");
                checkKey(entry, channel);
            }
            if (channel.kind().equals(MailChannelRules.KIND)) {
                channel = MailChannelRules.complete(entry, channel);
            }
            if (channel.kind().equals("webhook")) {
                checkSigning(entry, channel);
                warnIfPrivate(entry, channel);
            }
            channels.put(id, channel);
        });
        return channels;
    }

    /** Checks that {@code single} is set, or else all settings of {@code group}, which the operator knows as {@code name}. */
    private static void checkAlternatives(SectionReader entry, Setting<?> single, List<Setting<?>> group, String name) {
        List<Setting<?>> missing =
                group.stream().filter(setting -> !entry.contains(setting)).toList();
        if (missing.size() == group.size() && !entry.contains(single)) {
            List<String> names = group.stream().map(Setting::name).toList();
            entry.problem(
                    single,
                    "is missing, and so is the " + name,
                    "write " + single.name() + ", or " + String.join(", ", names.subList(0, names.size() - 1)) + " and "
                            + names.get(names.size() - 1));
        } else if (missing.size() < group.size()) {
            missing.forEach(setting -> entry.problem(
                    setting, "is missing", "write " + setting.type().expected()));
        }
    }

    private static void checkKey(SectionReader entry, Settings.Channel channel) {
        Secret key = channel.secrets().get(GITHUB_KEY.name());
        if (key != null && !PEM_KEY.matcher(key.reveal()).find()) {
            entry.problem(
                    GITHUB_KEY, "is no private key in PEM", "write ${file:path} with the path of the app's .pem file");
        }
    }

    private static void checkSigning(SectionReader entry, Settings.Channel channel) {
        VerifySection.error(
                        Scheme.STANDARD_WEBHOOKS, List.copyOf(channel.secrets().values()))
                .ifPresent(invalid -> entry.problem(SIGNING_SECRET, invalid.wrong(), invalid.instead()));
        VerifySection.warnIfShort(
                entry, SIGNING_SECRET, List.copyOf(channel.secrets().values()));
    }

    /** Warns of the plainest of the addresses that nothing is sent to; the channel knows all of them when it sends. */
    private static void warnIfPrivate(SectionReader entry, Settings.Channel channel) {
        String host = Objects.requireNonNullElse(
                URI.create(channel.options().getOrDefault("url", "")).getHost(), "");
        boolean allowed = Boolean.parseBoolean(channel.options().get(ALLOW_PRIVATE.name()));
        if (!allowed && PRIVATE_HOST.matcher(host).matches()) {
            entry.warn(
                    WEBHOOK_ADDRESS,
                    "leads to " + host + ", a private address, to which nothing is sent: write allowPrivateAddresses:"
                            + " true, or a public address");
        }
    }

    private static Settings.Channel channel(String id, SectionReader entry) {
        Map<String, String> options = new LinkedHashMap<>();
        Map<String, Secret> secrets = new LinkedHashMap<>();
        for (Setting<?> setting : entry.group().settings()) {
            entry.find(setting).ifPresent(value -> {
                if (value instanceof Secret secret) {
                    secrets.put(setting.name(), secret);
                } else if (!setting.name().equals(DeclaredSettings.KIND)) {
                    options.put(setting.name(), text(value));
                }
            });
        }
        return new Settings.Channel(id, entry.group().name(), options, secrets, List.of());
    }

    /** The text of an option; that of a list has one entry a line. */
    private static String text(Object value) {
        return value instanceof List<?> list
                ? list.stream().map(String::valueOf).collect(Collectors.joining("\n"))
                : value.toString();
    }
}
