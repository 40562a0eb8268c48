package dev.postern.mail;

import dev.postern.config.MailboxSettings.Password;
import dev.postern.mail.MailException.Kind;
import dev.postern.net.RejectedCertificateException;
import jakarta.mail.AuthenticationFailedException;
import jakarta.mail.FolderClosedException;
import jakarta.mail.MessagingException;
import jakarta.mail.ReadOnlyFolderException;
import jakarta.mail.StoreClosedException;
import java.io.IOException;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.eclipse.angus.mail.iap.ConnectionException;
import org.jspecify.annotations.Nullable;

/** The messages that explain Jakarta Mail's exceptions to the operator. */
final class MailFailureMessages {

    private static final int MOST_WORDS = 200;

    private MailFailureMessages() {}

    /** Explains why a connection could not be opened. */
    static MailException opening(ImapServerSettings server, MessagingException thrown) {
        String where = server.where();
        if (thrown instanceof AuthenticationFailedException) {
            return new MailException(
                    Kind.LOGIN, where + " refuses the login of " + server.username() + said(server, thrown), thrown);
        }
        if (thrown instanceof ReadOnlyFolderException) {
            return new MailException(
                    Kind.LABEL,
                    "the folder at " + where + " can only be read, so that handled mails can't be marked or moved; set"
                            + " hooks.gmail.afterwards to leave, or have the account's rights widened",
                    thrown);
        }
        Throwable cause = deepest(thrown);
        if (cause instanceof UnknownHostException) {
            return new MailException(Kind.UNREACHABLE, "there is no host " + server.host(), thrown);
        }
        Optional<RejectedCertificateException> refused = find(thrown, RejectedCertificateException.class);
        if (refused.isPresent()) {
            return new MailException(
                    Kind.UNTRUSTED, refused.get().sentence(server.host(), server.port(), "hooks.gmail"), thrown);
        }
        if (cause instanceof SSLPeerUnverifiedException || cause instanceof GeneralSecurityException) {
            return new MailException(
                    Kind.UNTRUSTED, "the certificate of " + where + " is not accepted" + said(server, cause), thrown);
        }
        if (find(thrown, SSLHandshakeException.class).isPresent()) {
            return new MailException(
                    Kind.UNREACHABLE, where + " and Java can't agree on how to use TLS" + said(server, cause), thrown);
        }
        if (cause instanceof SSLException) {
            return new MailException(
                    Kind.UNREACHABLE, where + " does not speak TLS; check hooks.gmail.port and security", thrown);
        }
        return new MailException(
                Kind.UNREACHABLE,
                where + (cause instanceof IOException ? " can't be reached" : " can't be used") + said(server, cause),
                thrown);
    }

    /** Whether {@code thrown} means that the connection is lost, rather than that one command failed. */
    static boolean isLost(Throwable thrown) {
        return thrown instanceof FolderClosedException
                || thrown instanceof StoreClosedException
                || find(thrown, ConnectionException.class).isPresent();
    }

    /** The text of the server or of Java, as the end of a sentence; empty if it holds the password. */
    static String said(ImapServerSettings server, Throwable thrown) {
        String text = String.valueOf(thrown.getMessage())
                .replaceAll("[^\\x20-\\x7e]+", " ")
                .strip();
        boolean tells = thrown.getMessage() != null && !text.isEmpty() && !holdsPassword(server, text);
        return tells ? ": " + text.substring(0, Math.min(text.length(), MOST_WORDS)) : "";
    }

    private static boolean holdsPassword(ImapServerSettings server, String text) {
        return server.login() instanceof Password login
                && text.contains(login.password().reveal());
    }

    private static Throwable deepest(Throwable thrown) {
        Throwable deepest = thrown;
        for (@Nullable Throwable next = thrown; next != null; next = next.getCause()) {
            deepest = next;
        }
        return deepest;
    }

    private static <T extends Throwable> Optional<T> find(Throwable thrown, Class<T> type) {
        for (@Nullable Throwable next = thrown; next != null; next = next.getCause()) {
            if (type.isInstance(next)) {
                return Optional.of(type.cast(next));
            }
        }
        return Optional.empty();
    }
}
