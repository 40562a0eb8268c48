package dev.postern.config;

import dev.postern.model.Secret;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code hooks.gmail}: the mailbox that is watched.
 *
 * @param account the mailbox's address; payloads name it
 * @param server where the mailbox is, as far as no mail session of the server that Postern runs in says otherwise
 * @param label the folder; Gmail shows each of its labels as one
 * @param includeBody false leaves {@code body} out of the payloads
 * @param maxBytes of a mail's text, in UTF-8
 * @param since mails that arrived from then on count as new when the mailbox is looked at for the first time; null for
 *     that moment itself
 */
public record MailboxSettings(
        String account,
        ImapServer server,
        String label,
        boolean includeBody,
        int maxBytes,
        @Nullable Instant since,
        Afterwards afterwards) {

    /** The path, below that of the hooks, by which mails come: those of the watch, and those that are pushed. */
    public static final String HOOK = "gmail";

    /** What payloads with mails call themselves. */
    public static final String SOURCE = "gmail";

    /**
     * An IMAP server and the login to it.
     *
     * @param authorities certificates that are trusted beside those of Java's own authorities
     * @param username what the server knows the account by
     * @param login null where only a mail session of the server that Postern runs in can have one
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

    /** How the connection is kept from being read by others. */
    public enum Security {
        /** TLS from the first byte, as on port 993. */
        TLS,
        /** STARTTLS, without which there is no login. */
        STARTTLS,
        /** Not at all. */
        NONE
    }

    /** What is shown to the server. */
    public sealed interface Login permits Password, Oauth {}

    /** A password, or an app password. */
    public record Password(Secret password) implements Login {}

    /**
     * Access tokens (XOAUTH2) that are asked for with a refresh token (RFC 6749, section 6).
     *
     * @param clientSecret null for a client without one
     * @param refreshToken the service may exchange it for another one
     */
    public record Oauth(URI tokenUrl, String clientId, @Nullable Secret clientSecret, StoredSecret refreshToken)
            implements Login {}

    /** What becomes of a mail in its mailbox when its hook was accepted. */
    public sealed interface Afterwards {

        /** Nothing: it stays unread. */
        record Leave() implements Afterwards {}

        /** It is marked as read. */
        record MarkRead() implements Afterwards {}

        /** It is flagged. */
        record Flag() implements Afterwards {}

        /** It is moved to {@code folder}. */
        record Move(String folder) implements Afterwards {}
    }
}
