package dev.postern.mail;

import dev.postern.config.MailboxSettings.Login;
import dev.postern.config.MailboxSettings.Oauth;
import dev.postern.config.MailboxSettings.Password;
import dev.postern.mail.MailException.Kind;
import dev.postern.net.ClosableSocketFactory;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The login to an IMAP server, with a password or an access token. If the server refuses a token that was kept, the login
 * is retried with a new one. For one thread.
 */
final class ImapLogin {

    private final ImapServerSettings server;
    private final Duration silence;
    private final @Nullable MailAccessTokens tokens;

    /**
     * @param tokens null if the server takes another login
     * @param silence time without a response after which a connection counts as dead
     */
    ImapLogin(ImapServerSettings server, @Nullable MailAccessTokens tokens, Duration silence) {
        this.server = server;
        this.silence = silence;
        this.tokens = server.login() instanceof Oauth ? tokens : null;
    }

    /**
     * Connects, logs in, and opens {@code label}.
     *
     * @param writes false to open the folder read-only
     * @param closableSocketFactory can close the connection at any time, even while it is being opened
     */
    MailConnection open(String label, boolean writes, ClosableSocketFactory closableSocketFactory)
            throws MailException {
        boolean tokenWasKept = tokens != null && tokens.isFresh();
        try {
            return MailConnection.open(server, secret(), label, writes, silence, closableSocketFactory);
        } catch (MailException fault) {
            if (tokens == null || fault.kind() != Kind.LOGIN) {
                throw fault;
            }
            tokens.forget();
            if (!tokenWasKept) {
                throw fault;
            }
            return MailConnection.open(server, secret(), label, writes, silence, closableSocketFactory);
        }
    }

    /** The server's address, {@code host:port}. */
    String where() {
        return server.where();
    }

    private String secret() throws MailException {
        Login login = server.login();
        if (tokens != null) {
            return tokens.granted().reveal();
        }
        if (login instanceof Password password) {
            return password.password().reveal();
        }
        throw new MailException(
                Kind.LOGIN,
                "hooks.gmail has neither password nor oauth, and no mail session with a password is bound at"
                        + " java:comp/env/mail/postern");
    }
}
