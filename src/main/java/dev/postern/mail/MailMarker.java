package dev.postern.mail;

import dev.postern.config.MailboxSettings.Afterwards;
import jakarta.mail.Flags;
import jakarta.mail.Folder;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.eclipse.angus.mail.imap.IMAPFolder;

/** A marker of mails that were handled: does to them what {@code hooks.gmail.afterwards} says. For one thread. */
final class MailMarker {

    private static final Logger LOG = System.getLogger(MailMarker.class.getName());

    private final ImapServerSettings server;
    private final ImapStore store;
    private final IMAPFolder folder;

    /** @param folder the open folder that holds the mails */
    MailMarker(ImapServerSettings server, ImapStore store, IMAPFolder folder) {
        this.server = server;
        this.store = store;
        this.folder = folder;
    }

    /** @throws MessagingException if the server refuses, or is gone */
    void mark(Message mail, Afterwards afterwards) throws MessagingException {
        if (afterwards instanceof Afterwards.MarkRead) {
            mail.setFlag(Flags.Flag.SEEN, true);
        } else if (afterwards instanceof Afterwards.Flag) {
            mail.setFlag(Flags.Flag.FLAGGED, true);
        } else if (afterwards instanceof Afterwards.Move move) {
            move(new Message[] {mail}, store.getFolder(move.folder()));
        }
    }

    /** Moves by MOVE (RFC 6851), or else by COPY and \Deleted, as mail programs did before. */
    private void move(Message[] mails, Folder target) throws MessagingException {
        if (store.hasCapability("MOVE")) {
            folder.moveMessages(mails, target);
            return;
        }
        folder.copyMessages(mails, target);
        folder.setFlags(mails, new Flags(Flags.Flag.DELETED), true);
        if (store.hasCapability("UIDPLUS")) {
            folder.expunge(mails);
        }
    }

    /** Explains {@code thrown}, because of which a mail was not marked. */
    MarkFailure failure(Afterwards afterwards, MessagingException thrown) {
        String said = server.host() + " refuses that" + MailFailureMessages.said(server, thrown);
        if (!(afterwards instanceof Afterwards.Move move)) {
            return new MarkFailure("handled mails are not marked, since the mail server refuses that", said);
        }
        return isMissing(move.folder())
                ? new MarkFailure(
                        "handled mails are not moved, since the folder for them is not there",
                        missing(move.folder()).sentence())
                : new MarkFailure(
                        "handled mails are not moved, since the mail server refuses that",
                        "to [" + move.folder() + "], " + said);
    }

    /** Whether the server says that the folder is missing; false if it does not say. */
    private boolean isMissing(String target) {
        try {
            return !holdsMails(target);
        } catch (MessagingException e) {
            LOG.log(Level.DEBUG, "Looking up the target folder failed", e);
            return false;
        }
    }

    /** Fails if mails can't be moved to {@code target} because there is no such folder, or because it can't hold mails. */
    void requireTarget(String target) throws MessagingException, MailException {
        if (!holdsMails(target)) {
            throw missing(target);
        }
    }

    private boolean holdsMails(String name) throws MessagingException {
        Folder target = store.getFolder(name);
        return target.exists() && (target.getType() & Folder.HOLDS_MESSAGES) != 0;
    }

    private MailException missing(String target) {
        return MailFolders.missing(
                server,
                store,
                "[" + target + "] to move mails to",
                new MessagingException("no folder to move mails to"));
    }
}
