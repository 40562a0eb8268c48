package dev.postern.mail;

import dev.postern.config.MailboxSettings.Security;
import dev.postern.model.Secret;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A mail session that the server which Postern runs in has bound for it: what it says of a mailbox.
 *
 * @param host null where it names none, and then port and security are too
 * @param username null where it names none
 * @param password null where it has none
 * @param options further properties, by what follows {@code mail.imap.} or {@code mail.imaps.} in their names
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
