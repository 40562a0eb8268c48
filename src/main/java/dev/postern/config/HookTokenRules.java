package dev.postern.config;

import dev.postern.config.SettingDeclaration.Setting;
import dev.postern.model.Secret;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The rules for hook tokens: sendable in a header, hard to guess, and used for nothing else. */
final class HookTokenRules {

    private HookTokenRules() {}

    private static final int SHORT = 24;
    private static final Pattern SENDABLE = Pattern.compile("[\\x21-\\x7e]+");

    /** Checks a token of {@code setting}. */
    static void check(SectionReader section, Setting<?> setting, Secret token) {
        if (!SENDABLE.matcher(token.reveal()).matches()) {
            section.problem(
                    setting,
                    "holds a space or a character that is not ASCII, which no header carries safely",
                    "write letters, digits and punctuation alone");
        } else if (token.reveal().length() < SHORT) {
            section.warn(
                    setting,
                    "has fewer than " + SHORT + " characters and might be guessed; take a longer one, such as 32 random"
                            + " bytes in base64");
        }
    }

    /** Rejects hook tokens that serve as another secret too. */
    static void checkSharing(SectionReader hooks, List<Secret> tokens, Map<String, Secret> others) {
        others.forEach((setting, secret) -> {
            boolean shared = tokens.stream()
                    .anyMatch(token -> token.equals(secret) || ("Bearer " + token.reveal()).equals(secret.reveal()));
            if (shared) {
                hooks.problem(
                        HooksSection.TOKEN,
                        "is the same secret as " + setting,
                        "take a token that is used for nothing but hooks");
            }
        });
    }

    /** The secrets of providers, tool servers, channels and the database, by setting. */
    static Map<String, Secret> otherSecrets(
            Map<String, Settings.Provider> providers,
            Map<String, Settings.McpServer> mcp,
            Map<String, Settings.Channel> channels,
            Settings.Database database) {
        Map<String, Secret> secrets = new LinkedHashMap<>();
        providers.forEach((id, provider) -> {
            if (provider.apiKey() != null) {
                secrets.put("providers." + id + ".apiKey", provider.apiKey());
            }
            provider.env().forEach((name, secret) -> secrets.put("providers." + id + ".env." + name, secret));
        });
        mcp.forEach((id, server) ->
                server.env().forEach((name, secret) -> secrets.put("mcp." + id + ".env." + name, secret)));
        mcp.forEach((id, server) ->
                server.headers().forEach((name, secret) -> secrets.put("mcp." + id + ".headers." + name, secret)));
        channels.forEach((id, channel) ->
                channel.secrets().forEach((name, secret) -> secrets.put("channels." + id + "." + name, secret)));
        if (database.password() != null) {
            secrets.put("database.password", database.password());
        }
        return secrets;
    }

    /** Adds the login secrets of {@code mailbox} to {@code secrets}. */
    static void addMail(Map<String, Secret> secrets, @Nullable MailboxSettings mailbox) {
        if (mailbox != null && mailbox.server().login() instanceof MailboxSettings.Password login) {
            secrets.put("hooks.gmail.password", login.password());
        } else if (mailbox != null && mailbox.server().login() instanceof MailboxSettings.Oauth login) {
            secrets.put("hooks.gmail.oauth.refreshToken", login.refreshToken().value());
            if (login.clientSecret() != null) {
                secrets.put("hooks.gmail.oauth.clientSecret", login.clientSecret());
            }
        }
    }

    /** Adds the secrets that senders sign with to {@code secrets}, each once. */
    static void addSigning(Map<String, Secret> secrets, List<MappingSettings> mappings) {
        for (MappingSettings mapping : mappings) {
            List<Secret> signing =
                    mapping.verify() == null ? List.of() : mapping.verify().secrets();
            for (Secret secret : signing) {
                if (!secrets.containsValue(secret)) {
                    secrets.put("the signing secret " + (signing.indexOf(secret) + 1) + " of " + mapping.id(), secret);
                }
            }
        }
    }
}
