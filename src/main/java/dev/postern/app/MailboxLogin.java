package dev.postern.app;

import dev.postern.channel.vendor.MailLogin;
import dev.postern.config.MailboxSettings;
import dev.postern.config.MailboxSettings.Password;
import dev.postern.mail.MailAccessTokens;
import dev.postern.mail.RefreshToken;
import dev.postern.net.HttpConnections;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * The login of the watched mailbox, which its watch and the channels of the same account share.
 *
 * @param tokens the access tokens of the mailbox; null if its login is a password, or there is none
 * @param ofChannels the login of channels without a password; null if the mailbox has none
 */
record MailboxLogin(@Nullable MailAccessTokens tokens, @Nullable MailLogin ofChannels) {

    /** @param mailbox null if there is none */
    static MailboxLogin of(@Nullable MailboxSettings mailbox, HttpConnections connections, InstantSource clock) {
        return of(
                mailbox,
                mailbox == null ? null : RefreshToken.of(mailbox.server().login()),
                connections,
                clock);
    }

    /**
     * The same login with the caller's refresh token.
     *
     * @param refreshToken null if the mailbox takes another login
     */
    static MailboxLogin of(
            @Nullable MailboxSettings mailbox,
            @Nullable RefreshToken refreshToken,
            HttpConnections connections,
            InstantSource clock) {
        MailboxSettings.@Nullable Login login =
                mailbox == null ? null : mailbox.server().login();
        if (login instanceof Password password) {
            return new MailboxLogin(null, new MailLogin.Password(password.password()));
        }
        MailAccessTokens tokens = MailAccessTokens.of(login, refreshToken, connections, clock);
        return new MailboxLogin(tokens, tokens == null ? null : new MailLogin.Tokens(tokens));
    }
}
