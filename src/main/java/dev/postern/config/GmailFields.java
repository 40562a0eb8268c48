package dev.postern.config;

import dev.postern.config.ListTypes.Anything;
import dev.postern.config.ScalarTypes.Address;
import dev.postern.config.ScalarTypes.Choice;
import dev.postern.config.ScalarTypes.Flag;
import dev.postern.config.ScalarTypes.Text;
import dev.postern.config.ScalarTypes.Whole;
import dev.postern.config.SettingDeclaration.Group;
import dev.postern.config.SettingDeclaration.Setting;
import dev.postern.model.Secret;
import java.net.URI;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The fields of the section {@code hooks.gmail}. */
final class GmailFields {

    private GmailFields() {}

    /**
     * The name of an account, and not an address of the form {@link dev.postern.model.MailAddress}: no mail is sent to it. So it may be
     * international (RFC 6531), or name a shared mailbox behind a slash. A channel that answers checks its own {@code from}.
     */
    private static final Pattern MAIL_ADDRESS = Pattern.compile("[^@\\s<>,;\"]+@[^@\\s<>,;\"]+");

    static final Pattern HOST_NAME =
            Pattern.compile("[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_.])?|[0-9A-Fa-f.]*(:[0-9A-Fa-f.]*){2,7}");
    private static final Pattern MOMENT =
            Pattern.compile("\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[+-]\\d{2}:\\d{2}))?");
    private static final Pattern AFTERWARDS_WORDS = Pattern.compile("leave|read|flag|move to \\S.*");

    static final Setting<String> ACCOUNT = Setting.optional(
            "account",
            new Text("the mailbox's address, such as me@example.com", MAIL_ADDRESS),
            "The mailbox's address. Without it nothing is watched.");
    static final Setting<String> HOST = Setting.of(
            "host",
            new Text("the name of a server, such as imap.example.com, without a scheme and a port", HOST_NAME),
            "imap.gmail.com",
            "The IMAP server.");
    static final Setting<Integer> PORT = Setting.optional(
            "port", new Whole(1, 65_535), "Its port; 993 when left out, and 143 where security is starttls or none.");
    static final Setting<String> SECURITY = Setting.of(
            "security",
            new Choice("tls", "starttls", "none"),
            "tls",
            "How the connection is kept private: tls, starttls, or none, for a server on this machine.");
    static final Setting<String> CA_FILE = Setting.optional(
            "caFile",
            new Text("the path of a PEM file with certificates"),
            "A PEM file with certificates that are trusted for this mailbox, beside Java's own authorities.");
    static final Setting<String> USERNAME = Setting.optional(
            "username", new Text("a user name"), "What the server knows the account by; its address when left out.");
    static final Setting<Secret> PASSWORD = Setting.optional(
            "password", new SecretTypes.Credential(), "The password; for Gmail an app password. Or else oauth:");

    static final Setting<String> CLIENT_ID =
            Setting.needed("clientId", new Text("the client's id"), "The id of the OAuth client.");
    static final Setting<Secret> CLIENT_SECRET = Setting.optional(
            "clientSecret", new SecretTypes.Credential(), "Its secret; left out for a client that has none.");
    static final Setting<ReplaceableSecret> REFRESH_TOKEN = Setting.needed(
            "refreshToken",
            new SecretTypes.StoredCredential(),
            "What access tokens are asked for with (RFC 6749). Name a file: a new one is written back to it.");
    static final Setting<URI> TOKEN_URL = Setting.of(
            "tokenUrl", new Address(false), "https://oauth2.googleapis.com/token", "Where they are asked for.");
    static final Group OAUTH = Group.of(
            "oauth",
            "Access tokens instead of a password (XOAUTH2).",
            CLIENT_ID,
            CLIENT_SECRET,
            REFRESH_TOKEN,
            TOKEN_URL);

    static final Setting<String> LABEL = Setting.of(
            "label", new Text("a folder"), "INBOX", "The folder that is watched; Gmail shows each label as one.");
    static final Setting<Boolean> INCLUDE_BODY =
            Setting.of("includeBody", new Flag(), true, "Whether a mail's text is taken; its beginning always is.");
    static final Setting<Integer> MAX_BYTES = Setting.of(
            "maxBytes",
            new Whole(100, 1_000_000),
            20_000,
            "Where a mail's text is cut, in bytes; also how much a push to /hooks/gmail may bring.");
    static final Setting<String> SINCE = Setting.optional(
            "since",
            new Text("a date such as 2026-11-01, or a moment such as 2026-11-01T08:00:00Z", MOMENT),
            "Mails that came from then on are taken at the first look; those that come after it when left out.");
    static final Setting<String> AFTERWARDS = Setting.of(
            "afterwards",
            new Text("leave, read, flag or \"move to <folder>\"", AFTERWARDS_WORDS),
            "leave",
            "What becomes of a mail that was taken: leave (it stays unread), read, flag or \"move to <folder>\".");
    static final Setting<String> MODEL = Setting.optional(
            "model",
            new Text("a model id <provider>/<model> or an alias of models"),
            "The model of the preset's turns, or an alias.");
    static final Setting<String> THINKING =
            Setting.optional("thinking", AgentsSection.LEVEL, "How much it thinks in those turns.");
    static final Setting<Boolean> ALLOW_UNSAFE = Setting.of(
            "allowUnsafeExternalContent",
            new Flag(),
            false,
            "Takes the boundary around the mails' words away. Anybody can send a mail: leave it.");

    /** The settings of other products' watchers, which use Google's Pub/Sub. They have no effect here. */
    static final List<Setting<Boolean>> FOREIGN = List.of(
            foreign("topic"),
            foreign("subscription"),
            foreign("pushToken"),
            foreign("hookUrl"),
            foreign("renewEveryMinutes"),
            foreign("serve"),
            foreign("tailscale"));

    /** The settings that only the mailbox uses. */
    static final List<SettingDeclaration> OF_THE_MAILBOX =
            List.of(HOST, PORT, SECURITY, CA_FILE, USERNAME, PASSWORD, OAUTH, LABEL, INCLUDE_BODY, SINCE, AFTERWARDS);

    /** The settings for the turns of the preset, whether its mails are pushed or fetched. */
    static final List<Setting<?>> OF_THE_PRESET = List.of(MODEL, THINKING, ALLOW_UNSAFE);

    static final Group GMAIL = new Group(
            "gmail",
            "The mailbox that is watched: Gmail, or any other IMAP server.",
            Stream.of(List.of(ACCOUNT, MAX_BYTES), OF_THE_MAILBOX, OF_THE_PRESET, FOREIGN)
                    .<SettingDeclaration>flatMap(List::stream)
                    .toList());

    private static Setting<Boolean> foreign(String name) {
        return Setting.optional(name, new Anything(), "Does nothing; other products' watchers have it.");
    }
}
