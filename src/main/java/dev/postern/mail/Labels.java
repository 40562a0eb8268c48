package dev.postern.mail;

import dev.postern.mail.MailFault.Kind;
import jakarta.mail.Folder;
import jakarta.mail.MessagingException;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.angus.mail.imap.IMAPStore;

/** The folders of an account. */
final class Labels {

    private static final int MOST = 40;

    private Labels() {}

    /** Says that there is no {@code label}, and which ones there are. */
    static MailFault missing(Server server, IMAPStore store, String label, MessagingException thrown) {
        List<String> names = new ArrayList<>();
        try {
            for (Folder folder : store.getDefaultFolder().list("*")) {
                if ((folder.getType() & Folder.HOLDS_MESSAGES) != 0 && names.size() < MOST) {
                    names.add("[" + folder.getFullName() + "]");
                }
            }
        } catch (MessagingException e) {
            thrown.addSuppressed(e);
        }
        return new MailFault(
                Kind.LABEL,
                "there is no folder [" + label + "] at " + server.host()
                        + (names.isEmpty() ? "" : "; there are " + String.join(", ", names)),
                thrown);
    }
}
