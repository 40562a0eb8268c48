package dev.postern.config;

import dev.postern.config.ListTypes.TextList;
import dev.postern.config.MailboxSettings.Security;
import dev.postern.config.ScalarTypes.Choice;
import dev.postern.config.ScalarTypes.Text;
import dev.postern.config.ScalarTypes.Whole;
import dev.postern.config.SettingDeclaration.Setting;
import dev.postern.model.MailAddress;
import dev.postern.model.Secret;
import java.security.cert.X509Certificate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The settings of channels of kind {@code mail}, and the rules that span several of them. */
final class MailChannelRules {

    private static final Pattern ALLOWED =
            Pattern.compile(MailAddress.FORM.pattern() + "|" + MailAddress.DOMAIN.pattern());

    private static final int TLS_PORT = 465;
    private static final int STARTTLS_PORT = 587;
    private static final int PLAIN_PORT = 25;

    private static final Setting<String> HOST = Setting.needed(
            "host",
            new Text(
                    "the name of a server, such as smtp.example.com, without a scheme and a port",
                    GmailFields.HOST_NAME),
            "The SMTP server that takes the mails, such as smtp.gmail.com.");
    private static final Setting<Integer> PORT = Setting.optional(
            "port",
            new Whole(1, 65_535),
            "Its port; when left out " + TLS_PORT + " for tls, " + STARTTLS_PORT + " for starttls, " + PLAIN_PORT
                    + " for none.");
    private static final Setting<String> SECURITY = Setting.of(
            "security",
            new Choice("tls", "starttls", "none"),
            "tls",
            "How the connection is kept private: tls, starttls, or none, for a server on this machine.");
    private static final Setting<String> CA_FILE = Setting.optional(
            "caFile",
            new Text("the path of a PEM file with certificates"),
            "A PEM file with certificates that are trusted for this server, beside Java's own authorities.");
    private static final Setting<String> ACCOUNT =
            Setting.needed("account", new Text("a mail address, or a user name"), "The account that logs in.");
    private static final Setting<Secret> PASSWORD = Setting.optional(
            "password",
            new SecretTypes.Credential(),
            "Its password; when left out, the login of hooks.gmail, whose account has to be this one.");
    static final Setting<String> FROM = Setting.optional(
            "from",
            new Text("a mail address such as me@example.com", MailAddress.FORM),
            "The address that the mails are from; the account when left out.");
    static final Setting<List<String>> ALLOW = Setting.needed(
            "allow",
            new TextList(new Text("an address such as ann@example.com, or a domain such as \"@example.com\"", ALLOWED)),
            "Who may get mails: addresses, and domains behind an at sign. Anyone else gets none.");
    private static final Setting<Integer> MAX_PER_RECIPIENT = Setting.of(
            "maxPerRecipient", new Whole(1, 1000), 5, "The most replies that one address gets within an hour.");

    /** The settings beside {@code kind} and {@code textLimit}. */
    static final List<Setting<?>> SETTINGS =
            List.of(HOST, PORT, SECURITY, CA_FILE, ACCOUNT, PASSWORD, FROM, ALLOW, MAX_PER_RECIPIENT);

    private MailChannelRules() {}

    /** Checks the entry {@code channel}, and completes it by what was left out. */
    static Settings.Channel complete(SectionReader entry, Settings.Channel channel) {
        Map<String, String> options = new LinkedHashMap<>(channel.options());
        String account = options.getOrDefault(ACCOUNT.name(), "");
        if (!entry.contains(FROM) && entry.contains(ACCOUNT) && !MailAddress.matches(account)) {
            entry.problem(
                    FROM,
                    "is missing, while account is no mail address",
                    "write " + FROM.type().expected());
        }
        options.putIfAbsent(FROM.name(), account);
        Security security = MailServerRules.security(entry, SECURITY, options.getOrDefault(HOST.name(), ""));
        options.putIfAbsent(
                PORT.name(),
                Integer.toString(
                        switch (security) {
                            case TLS -> TLS_PORT;
                            case STARTTLS -> STARTTLS_PORT;
                            case NONE -> PLAIN_PORT;
                        }));
        List<X509Certificate> authorities = MailServerRules.authorities(entry, CA_FILE, security);
        return new Settings.Channel(channel.id(), channel.kind(), options, channel.secrets(), authorities);
    }

    /** Reports each channel without a password whose account {@code mailbox} doesn't log in. */
    static void checkLogins(
            SectionReader root, Map<String, Settings.Channel> channels, @Nullable MailboxSettings mailbox) {
        root.entries(ChannelFields.CHANNELS).forEach((id, entry) -> {
            Settings.Channel channel = channels.get(id);
            if (channel == null
                    || ChannelKind.of(channel) != ChannelKind.MAIL
                    || entry.contains(PASSWORD)
                    || !entry.contains(ACCOUNT)) {
                return;
            }
            boolean same = mailbox != null
                    && mailbox.server().login() != null
                    && List.of(mailbox.account(), mailbox.server().username())
                            .contains(channel.options().get(ACCOUNT.name()));
            if (!same) {
                entry.problem(
                        PASSWORD,
                        "is missing, and hooks.gmail has no login of this account",
                        "write the account's password, or set up hooks.gmail with the same account");
            }
        });
    }
}
