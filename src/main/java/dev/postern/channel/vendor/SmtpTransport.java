package dev.postern.channel.vendor;

import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.URLName;
import java.io.IOException;
import org.eclipse.angus.mail.smtp.SMTPTransport;

/** A connection to an SMTP server that knows whether the server may have taken a mail. */
final class SmtpTransport extends SMTPTransport {

    /** The code of a challenge (RFC 4954, section 4). */
    static final int CHALLENGE = 334;

    private static final String TOKEN_LOGIN = "AUTH XOAUTH2 ";

    private volatile boolean ending;
    private volatile boolean ready;

    /** @param tls whether TLS is used from the first byte on */
    SmtpTransport(Session session, boolean tls) {
        super(session, new URLName("smtp", null, -1, null, null, null), "smtp", tls);
    }

    Session session() {
        return session;
    }

    /** Whether the end of a mail was sent, after which the server may have taken it. */
    boolean mayHaveSent() {
        return ending;
    }

    /** Whether the login has succeeded, or the server offers none. */
    boolean wasReady() {
        return ready;
    }

    /** Whether the server offers a login. Angus goes on without one if it doesn't. */
    boolean offersLogin() {
        return supportsExtension("AUTH") || supportsExtension("AUTH=LOGIN");
    }

    @Override
    protected synchronized boolean protocolConnect(String host, int port, String user, String password)
            throws MessagingException {
        boolean connected = super.protocolConnect(host, port, user, password);
        ready = connected;
        return connected;
    }

    /**
     * Answers the challenge that follows a refused access token with an empty line, as Google's XOAUTH2 wants it. The code
     * behind it is the server's verdict.
     */
    @Override
    public synchronized int simpleCommand(String command) throws MessagingException {
        int status = super.simpleCommand(command);
        return status == CHALLENGE && command.startsWith(TOKEN_LOGIN) ? super.simpleCommand("") : status;
    }

    @Override
    protected void finishData() throws IOException, MessagingException {
        ending = true;
        super.finishData();
    }

    /** Takes leave of the server if it still answers. */
    void end() {
        try {
            close();
        } catch (MessagingException | IllegalStateException e) {
            System.getLogger(SmtpTransport.class.getName()).log(System.Logger.Level.DEBUG, "SMTP QUIT failed", e);
        }
    }
}
