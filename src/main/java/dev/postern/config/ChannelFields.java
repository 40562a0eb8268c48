package dev.postern.config;

import dev.postern.config.ListTypes.TextList;
import dev.postern.config.ScalarTypes.Address;
import dev.postern.config.ScalarTypes.Choice;
import dev.postern.config.ScalarTypes.Flag;
import dev.postern.config.ScalarTypes.Text;
import dev.postern.config.ScalarTypes.Whole;
import dev.postern.config.SettingDeclaration.Group;
import dev.postern.config.SettingDeclaration.Setting;
import dev.postern.config.SettingDeclaration.Table;
import dev.postern.model.ReportedEventType;
import dev.postern.model.Secret;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The fields of the section {@code channels}: each kind of channel with its credentials. */
final class ChannelFields {

    private ChannelFields() {}

    static final Setting<String> KIND = Setting.optional(
            DeclaredSettings.KIND,
            new Choice(ChannelKind.NAMES),
            "Which service it is; the id, where that is the name of a kind.");
    static final Setting<Secret> WEBHOOK_URL = Setting.optional(
            "webhookUrl",
            new SecretTypes.Credential(),
            "The address of a Workflows webhook; takes the place of the three settings above.");

    static final Setting<Secret> WEBHOOK_ADDRESS = Setting.needed(
            "url", new SecretTypes.GuardedAddress(), "Where the JSON of a reply is posted to; never shown.");
    static final Setting<Boolean> ALLOW_PRIVATE = Setting.of(
            "allowPrivateAddresses", new Flag(), false, "Whether it may be on this machine or in your own network.");

    static final Setting<Secret> SIGNING_SECRET =
            credential("secret", "Signs the posts (Standard Webhooks): whsec_ and then base64.");

    static final Setting<List<String>> EVENTS = Setting.optional(
            "events",
            new TextList(new Choice(ReportedEventType.names())),
            "The events that are reported to it: " + String.join(" ", ReportedEventType.names()) + ".");

    static final List<Setting<?>> TEAMS_BOT = List.of(
            Setting.optional("appId", new Text("the app's id"), "The bot's app id."),
            Setting.optional("appPassword", new SecretTypes.Credential(), "The bot's client secret."),
            Setting.optional("tenantId", new Text("the tenant's id"), "The tenant that the bot belongs to."));

    static final Setting<Secret> GITHUB_TOKEN = Setting.optional(
            "token",
            new SecretTypes.Credential(),
            "A token that may comment: fine-grained, or of a bot's account; takes the place of the app.");
    static final Setting<Secret> GITHUB_KEY =
            Setting.optional("privateKey", new SecretTypes.CredentialLines(), "The app's private key, in PEM.");
    static final List<Setting<?>> GITHUB_APP = List.of(
            Setting.optional("appId", new Text("the app's id"), "The id of a GitHub App, or its client id."),
            Setting.optional("installationId", new Text("the installation's id"), "The id of the app's installation."),
            GITHUB_KEY);

    static final Table CHANNELS = new Table(
            "channels",
            "Where replies can go, by ids of your choice. inbox, which keeps them for the console, is always there.",
            List.of(
                    kind(
                            ChannelKind.WHATSAPP,
                            credential("accessToken", "The access token of the Cloud API."),
                            Setting.needed(
                                    "phoneNumberId", new Text("the number's id"), "The id of the sending number."),
                            Setting.optional(
                                    "to",
                                    new Text("a number such as \"+4915112345678\", or a group's id"),
                                    "Where replies go for which no hook, session or heartbeat says where."),
                            baseUrl("https://graph.facebook.com/v24.0"),
                            textLimit(4096)),
                    kind(ChannelKind.TELEGRAM, botToken(), baseUrl("https://api.telegram.org"), textLimit(4096)),
                    kind(ChannelKind.DISCORD, botToken(), baseUrl("https://discord.com/api/v10"), textLimit(2000)),
                    kind(ChannelKind.SLACK, botToken(), baseUrl("https://slack.com/api"), textLimit(4000)),
                    kind(ChannelKind.MATTERMOST, botToken(), ownServer(), textLimit(16_383)),
                    kind(
                            ChannelKind.SIGNAL,
                            Setting.needed(
                                    "account", new Text("a number such as \"+491701234567\""), "The sending number."),
                            ownServer(),
                            textLimit(2000)),
                    kind(
                            ChannelKind.IMESSAGE,
                            credential("password", "The password of the BlueBubbles server."),
                            ownServer(),
                            textLimit(4000)),
                    kind(
                            ChannelKind.MSTEAMS,
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
                            ChannelKind.GITHUB,
                            GITHUB_TOKEN,
                            GITHUB_APP.get(0),
                            GITHUB_APP.get(1),
                            GITHUB_KEY,
                            account("login, such as my-bot or my-app[bot]"),
                            allowMentions(),
                            baseUrl("https://api.github.com"),
                            textLimit(65_000)),
                    kind(
                            ChannelKind.GITLAB,
                            credential("token", "A personal, project or group access token with the scope api."),
                            account("username"),
                            allowMentions(),
                            baseUrl("https://gitlab.com/api/v4"),
                            textLimit(999_000)),
                    kind(
                            ChannelKind.JIRA,
                            Setting.needed(
                                    "email",
                                    new Text("a mail address"),
                                    "The mail address of the account that comments."),
                            credential("token", "The account's API token."),
                            account("account id"),
                            Setting.needed("baseUrl", new Address(true), "Your site's address."),
                            textLimit(30_000)),
                    kind(
                            ChannelKind.LINEAR,
                            credential("apiKey", "An API key that may create comments."),
                            account("user id"),
                            allowMentions(),
                            baseUrl("https://api.linear.app"),
                            textLimit(20_000)),
                    kind(
                            ChannelKind.PAGERDUTY,
                            credential("apiKey", "An API key that may write."),
                            Setting.needed(
                                    "from",
                                    new Text("a mail address"),
                                    "The mail address of the user in whose name notes are added."),
                            account("user id"),
                            baseUrl("https://api.pagerduty.com"),
                            textLimit(20_000)),
                    kind(
                            ChannelKind.SENTRY,
                            credential("token", "An auth token with the scope event:write."),
                            Setting.optional(
                                    "organization",
                                    new Text("an organization's slug, such as my-team"),
                                    "Your organization at Sentry, which phases out addresses without it."),
                            account("user id"),
                            allowMentions(),
                            baseUrl("https://sentry.io"),
                            textLimit(20_000)),
                    kind(
                            ChannelKind.MAIL,
                            Stream.concat(MailChannelRules.SETTINGS.stream(), Stream.of(textLimit(100_000)))
                                    .toArray(Setting<?>[]::new)),
                    kind(
                            ChannelKind.WEBHOOK,
                            WEBHOOK_ADDRESS,
                            SIGNING_SECRET,
                            ALLOW_PRIVATE,
                            EVENTS,
                            textLimit(1_000_000))),
            ChannelKind.NAMES);

    private static Group kind(ChannelKind kind, Setting<?>... settings) {
        List<SettingDeclaration> members = new ArrayList<>(List.of(KIND));
        members.addAll(List.of(settings));
        return new Group(kind.label(), "A channel of kind " + kind.label() + ".", members);
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
                "account",
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
}
