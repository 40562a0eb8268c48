package dev.postern.channel.vendor;

import dev.postern.model.Secret;
import dev.postern.net.AccessTokenSource;

/** The credentials of an account at a mail server. */
public sealed interface MailLogin {

    /** A login by a password or an app password. */
    record Password(Secret password) implements MailLogin {}

    /** A login by access tokens (XOAUTH2). */
    record Tokens(AccessTokenSource tokens) implements MailLogin {}
}
