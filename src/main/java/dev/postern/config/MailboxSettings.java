package dev.postern.config;

import dev.postern.model.Secret;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the mailbox to watch, {@code hooks.gmail}.
 *
 * @param account the mailbox's address; payloads name it
 * @param server the mailbox's server, unless a mail session of the server that Postern runs in says otherwise
 * @param label the folder to watch; Gmail shows each of its labels as a folder
 * @param includeBody whether payloads have {@code body}
 * @param maxBytes the limit on a mail's text, in bytes of UTF-8
 * @param since the time from which mails count as new when the mailbox is opened for the first time; null for the time
 *     of that opening
 */
public record MailboxSettings(
        String account,
        ImapServer server,
        String label,
        boolean includeBody,
        int maxBytes,
        @Nullable Instant since,
        Afterwards afterwards) {

    /** The hook that mails come to, whether watched or pushed; a path below that of the hooks. */
    public static final String HOOK = "gmail";

    /** The {@code source} of payloads with mails. */
    public static final String SOURCE = "gmail";

    /**
     * An IMAP server and the login to it.
     *
     * @param authorities certificates that are trusted in addition to Java's own authorities
     * @param username the account's user name at the server
     * @param login null if only a mail session of the server that Postern runs in can have one
     */
    public record ImapServer(
            String host,
            int port,
            Security security,
            List<X509Certificate> authorities,
            String username,
            @Nullable Login login) {

        public ImapServer {
            authorities = List.copyOf(authorities);
        }
    }

    /** The encryption of the connection. */
    public enum Security {
        /** TLS from the first byte, as on port 993. */
        TLS,
        /** STARTTLS; without it there is no login. */
        STARTTLS,
        /** No encryption. */
        NONE
    }

    /** The credentials for the server. */
    public sealed interface Login permits Password, Oauth {}

    /** A login by a password or an app password. */
    public record Password(Secret password) implements Login {}

    /**
     * A login by access tokens (XOAUTH2), which are requested with a refresh token (RFC 6749, section 6).
     *
     * @param clientSecret null for a client without one
     * @param refreshToken the token to request access tokens with; the service may replace it
     */
    public record Oauth(URI tokenUrl, String clientId, @Nullable Secret clientSecret, ReplaceableSecret refreshToken)
            implements Login {}

    /** The treatment of a mail in its mailbox after its hook request was accepted. */
    public sealed interface Afterwards {

        /** A treatment that leaves the mail unread. */
        record Leave() implements Afterwards {}

        /** A treatment that marks the mail as read. */
        record MarkRead() implements Afterwards {}

        /** A treatment that flags the mail. */
        record Flag() implements Afterwards {}

        /** A treatment that moves the mail to {@code folder}. */
        record Move(String folder) implements Afterwards {}
    }
}
