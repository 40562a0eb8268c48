package dev.postern.mail;

import dev.postern.config.MailboxSettings.Login;
import dev.postern.config.MailboxSettings.Oauth;
import dev.postern.config.MailboxSettings.Password;
import dev.postern.mail.MailFault.Kind;
import dev.postern.net.Connections;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** The way into a server: a password, or an access token that is asked for anew where the server refuses it. For one thread. */
final class Entrance {

    private final Server server;
    private final Duration silence;
    private final @Nullable AccessTokens tokens;

    /**
     * @param refreshToken null where the server takes another login
     * @param connections to the service that hands out access tokens
     * @param silence after so long without an answer a connection is dead
     */
    Entrance(
            Server server,
            @Nullable RefreshToken refreshToken,
            Connections connections,
            InstantSource clock,
            Duration silence) {
        this.server = server;
        this.silence = silence;
        this.tokens = server.login() instanceof Oauth oauth && refreshToken != null
                ? new AccessTokens(oauth, refreshToken, connections, clock)
                : null;
    }

    /**
     * Connects, logs in, and opens {@code label}.
     *
     * @param writes false opens the folder in a way that changes no mail
     * @param sockets can end it at any time, also before it has come about
     */
    Connection open(String label, boolean writes, Sockets sockets) throws MailFault {
        boolean tokenWasKept = tokens != null && tokens.isFresh();
        try {
            return Connection.open(server, secret(), label, writes, silence, sockets);
        } catch (MailFault fault) {
            if (tokens == null || fault.kind() != Kind.LOGIN) {
                throw fault;
            }
            tokens.forget();
            if (!tokenWasKept) {
                throw fault;
            }
            return Connection.open(server, secret(), label, writes, silence, sockets);
        }
    }

    /** The server's address. */
    String where() {
        return server.where();
    }

    private String secret() throws MailFault {
        Login login = server.login();
        if (tokens != null) {
            return tokens.current().reveal();
        }
        if (login instanceof Password password) {
            return password.password().reveal();
        }
        throw new MailFault(
                Kind.LOGIN,
                "hooks.gmail has neither password nor oauth, and no mail session with a password is bound at"
                        + " java:comp/env/mail/postern");
    }
}
