package dev.postern.mail;

import dev.postern.config.MailboxSettings.Security;
import dev.postern.net.ClosableSocketFactory;
import jakarta.mail.Folder;
import jakarta.mail.FolderNotFoundException;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.eclipse.angus.mail.iap.ProtocolException;
import org.eclipse.angus.mail.iap.Response;
import org.eclipse.angus.mail.imap.IMAPFolder;
import org.eclipse.angus.mail.imap.protocol.IMAPProtocol;

/**
 * A connection to a mailbox with its folder open. For one thread.
 *
 * <p>It does IDLE by itself rather than through {@link IMAPFolder#idle}, which waits for as long as the server says
 * nothing, and so for ever if the server is gone. Here the socket's time-out ends each IDLE by a DONE, which a live
 * server answers.
 */
final class MailConnection implements AutoCloseable {

    private static final Logger LOG = System.getLogger(MailConnection.class.getName());

    private final ClosableSocketFactory closableSocketFactory;
    private final ImapStore store;
    private final OpenMailFolder folder;
    private final boolean supportsIdle;

    private MailConnection(ClosableSocketFactory closableSocketFactory, ImapStore store, OpenMailFolder folder)
            throws MessagingException {
        this.closableSocketFactory = closableSocketFactory;
        this.store = store;
        this.folder = folder;
        this.supportsIdle = store.hasCapability("IDLE");
    }

    /**
     * Connects, logs in, and opens {@code label}.
     *
     * @param secret the password or access token
     * @param writes false to open the folder read-only
     * @param closableSocketFactory can close the connection at any time, even while it is being opened
     */
    static MailConnection open(
            ImapServerSettings server,
            String secret,
            String label,
            boolean writes,
            Duration silence,
            ClosableSocketFactory closableSocketFactory)
            throws MailException {
        Session session = Session.getInstance(server.properties(silence, closableSocketFactory));
        ImapStore store = new ImapStore(session, server.security() == Security.TLS);
        boolean opened = false;
        try {
            store.connect(server.host(), server.port(), server.username(), secret);
            IMAPFolder folder = (IMAPFolder) store.getFolder(label);
            folder.open(writes ? Folder.READ_WRITE : Folder.READ_ONLY);
            MailConnection connection = new MailConnection(
                    closableSocketFactory, store, new OpenMailFolder(server, closableSocketFactory, store, folder));
            opened = true;
            return connection;
        } catch (FolderNotFoundException e) {
            throw MailFolders.missing(server, store, "[" + label + "]", e);
        } catch (MessagingException e) {
            throw MailFailureMessages.opening(server, e);
        } finally {
            if (!opened) {
                closableSocketFactory.close();
            }
        }
    }

    /** The open folder. */
    OpenMailFolder folder() {
        return folder;
    }

    /** Fails if mails can't be moved to {@code target} because there is no such folder, or because it can't hold mails. */
    void requireTarget(String target) throws MailException {
        folder.requireTarget(target);
    }

    /** Whether the server announces new mail by itself (IDLE). */
    boolean supportsIdle() {
        return supportsIdle;
    }

    /**
     * Waits until the server announces a mail, {@code wakeSignal} is set, or the socket's time-out passes in silence.
     *
     * @return true if none of these was the case, and the server ended IDLE by itself
     * @throws MailException if the server no longer answers
     */
    boolean idle(WakeSignal wakeSignal) throws MailException {
        boolean unasked;
        try {
            folder.command(protocol -> {
                protocol.idleStart();
                wakeSignal.idleStarted(protocol);
                if (folder.isNewMailAnnounced()) {
                    wakeSignal.endIdle();
                }
                while (continuesIdle(protocol, wakeSignal)) {
                    if (folder.isNewMailAnnounced()) {
                        wakeSignal.endIdle();
                    }
                }
                return protocol;
            });
        } finally {
            unasked = wakeSignal.idleEnded();
        }
        return unasked;
    }

    /** Reads the next response during IDLE; false if IDLE has ended. */
    private static boolean continuesIdle(IMAPProtocol protocol, WakeSignal wakeSignal) throws ProtocolException {
        Response response = protocol.readIdleResponse();
        if (response == null) {
            return false;
        }
        boolean silent = response.isSynthetic() && response.getException() instanceof SocketTimeoutException;
        return (silent && wakeSignal.endIdle()) || protocol.processIdleResponse(response);
    }

    /** Logs out if the server still answers, and closes the sockets. */
    @Override
    public void close() {
        try {
            folder.close();
            store.close();
        } catch (MessagingException | IllegalStateException e) {
            LOG.log(Level.DEBUG, "IMAP LOGOUT failed", e);
        } finally {
            closableSocketFactory.close();
        }
    }
}
