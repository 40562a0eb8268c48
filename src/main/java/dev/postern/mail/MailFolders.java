package dev.postern.mail;

import dev.postern.mail.MailException.Kind;
import jakarta.mail.Folder;
import jakarta.mail.MessagingException;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.angus.mail.imap.IMAPStore;

/** The folders of an account. */
final class MailFolders {

    private static final int MOST = 40;

    private MailFolders() {}

    /**
     * Explains that a folder does not exist, and lists those that do.
     *
     * @param folder the folder and its purpose, such as {@code [Done] to move mails to}
     */
    static MailException missing(ImapServerSettings server, IMAPStore store, String folder, MessagingException thrown) {
        List<String> names = new ArrayList<>();
        try {
            for (Folder each : store.getDefaultFolder().list("*")) {
                if ((each.getType() & Folder.HOLDS_MESSAGES) != 0 && names.size() < MOST) {
                    names.add("[" + each.getFullName() + "]");
                }
            }
        } catch (MessagingException e) {
            thrown.addSuppressed(e);
        }
        return new MailException(
                Kind.LABEL,
                "there is no folder " + folder + " at " + server.host()
                        + (names.isEmpty() ? "" : "; there are " + String.join(", ", names)),
                thrown);
    }
}
