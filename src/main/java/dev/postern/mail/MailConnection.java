package dev.postern.mail;

import dev.postern.config.MailboxSettings.Security;
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
 * One connection to a mailbox, its folder open. For one thread.
 *
 * <p>It does IDLE by itself rather than through {@link IMAPFolder#idle}, which goes on for as long as the server says
 * nothing, and so for ever where the server is gone. Here the socket's time-out ends each IDLE, by a DONE that a living
 * server answers.
 */
final class MailConnection implements AutoCloseable {

    private static final Logger LOG = System.getLogger(MailConnection.class.getName());

    private final ClosableSocketFactory closableSocketFactory;
    private final ImapStore store;
    private final OpenMailFolder folder;
    private final boolean idles;

    private MailConnection(ClosableSocketFactory closableSocketFactory, ImapStore store, OpenMailFolder folder)
            throws MessagingException {
        this.closableSocketFactory = closableSocketFactory;
        this.store = store;
        this.folder = folder;
        this.idles = store.hasCapability("IDLE");
    }

    /**
     * Connects, logs in, and opens {@code label}.
     *
     * @param secret the password or access token
     * @param writes false opens the folder in a way that changes no mail
     * @param closableSocketFactory can end it at any time, also before it has come about
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

    /** The folder that is open. */
    OpenMailFolder folder() {
        return folder;
    }

    /** Fails where mails can't be moved to {@code target}, since there is no such folder, or none that can hold mails. */
    void requireTarget(String target) throws MailException {
        folder.requireTarget(target);
    }

    /** Whether the server tells of new mail by itself. */
    boolean idles() {
        return idles;
    }

    /**
     * Waits until the server tells of a mail, {@code bell} is rung, or the time-out of the socket has passed without a word.
     *
     * @throws MailException when the server does not answer any more
     */
    void idle(WakeSignal wakeSignal) throws MailException {
        folder.command(protocol -> {
            protocol.idleStart();
            try {
                wakeSignal.idle(protocol);
                if (folder.isToldOfMore()) {
                    wakeSignal.done();
                }
                while (goesOn(protocol, wakeSignal)) {
                    if (folder.isToldOfMore()) {
                        wakeSignal.done();
                    }
                }
            } finally {
                wakeSignal.heard();
            }
            return protocol;
        });
    }

    /** Takes the next answer during IDLE; false where IDLE has ended. */
    private static boolean goesOn(IMAPProtocol protocol, WakeSignal wakeSignal) throws ProtocolException {
        Response response = protocol.readIdleResponse();
        if (response == null) {
            return false;
        }
        boolean silent = response.isSynthetic() && response.getException() instanceof SocketTimeoutException;
        return (silent && wakeSignal.done()) || protocol.processIdleResponse(response);
    }

    /** Says goodbye where the server still listens. */
    @Override
    public void close() {
        try {
            folder.close();
            store.close();
        } catch (MessagingException | IllegalStateException e) {
            LOG.log(Level.DEBUG, "The mail server heard no goodbye", e);
        } finally {
            closableSocketFactory.close();
        }
    }
}
