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

    /** @param folder holds the mails; open */
    MailMarker(ImapServerSettings server, ImapStore store, IMAPFolder folder) {
        this.server = server;
        this.store = store;
        this.folder = folder;
    }

    /** @throws MessagingException where the server would not, or is gone */
    void mark(Message mail, Afterwards afterwards) throws MessagingException {
        if (afterwards instanceof Afterwards.MarkRead) {
            mail.setFlag(Flags.Flag.SEEN, true);
        } else if (afterwards instanceof Afterwards.Flag) {
            mail.setFlag(Flags.Flag.FLAGGED, true);
        } else if (afterwards instanceof Afterwards.Move move) {
            move(new Message[] {mail}, store.getFolder(move.folder()));
        }
    }

    /** By MOVE (RFC 6851), else as mail programs did before it. */
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

    /** What to say of {@code thrown}, for which a mail was not marked. */
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

    /** Whether the server says that the folder is missing; false where it says nothing. */
    private boolean isMissing(String target) {
        try {
            return !holdsMails(target);
        } catch (MessagingException e) {
            LOG.log(Level.DEBUG, "The mail server does not say which folders there are", e);
            return false;
        }
    }

    /** Fails where mails can't be moved to {@code target}, since there is no such folder, or none that can hold mails. */
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
