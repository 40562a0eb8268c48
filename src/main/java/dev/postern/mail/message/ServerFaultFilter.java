package dev.postern.mail.message;

import jakarta.mail.Folder;
import jakarta.mail.FolderClosedException;
import jakarta.mail.Message;
import jakarta.mail.MessageRemovedException;
import jakarta.mail.MessagingException;
import jakarta.mail.StoreClosedException;

/** A filter that rethrows errors of the connection to a mail's server and lets errors of the mail itself pass. */
final class ServerFaultFilter {

    private ServerFaultFilter() {}

    /**
     * Returns normally if {@code fault} is an error of the mail itself.
     *
     * @throws MessagingException if the mail is gone or its folder is closed by now; the streams of Angus Mail report
     *     neither of these
     */
    static void rethrow(Message mail, Throwable fault) throws MessagingException {
        if (fault instanceof FolderClosedException
                || fault instanceof StoreClosedException
                || fault instanceof MessageRemovedException) {
            throw (MessagingException) fault;
        }
        Folder folder = mail.getFolder();
        if (folder == null) {
            return;
        }
        if (!folder.isOpen()) {
            String gone = "the connection to the server is gone";
            throw fault instanceof Exception cause
                    ? new FolderClosedException(folder, gone, cause)
                    : new FolderClosedException(folder, gone);
        }
        if (mail.isExpunged()) {
            throw new MessageRemovedException("the mail is gone");
        }
    }
}
