package dev.postern.mail;

import dev.postern.config.MailboxSettings.Security;
import dev.postern.model.Secret;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The mailbox settings of a mail session that the application server has bound for Postern in JNDI.
 *
 * @param host null if the session names none; then port and security are null too
 * @param username null if the session names none
 * @param password null if the session has none
 * @param options further properties, keyed by the rest of their names after {@code mail.imap.} or {@code mail.imaps.}
 */
public record MailSession(
        @Nullable String host,
        @Nullable Integer port,
        @Nullable Security security,
        @Nullable String username,
        @Nullable Secret password,
        Map<String, String> options) {

    public MailSession {
        options = Map.copyOf(options);
    }
}
