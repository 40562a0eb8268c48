package dev.postern.mail.message;

import com.icegreen.greenmail.store.MailFolder;
import com.icegreen.greenmail.user.GreenMailUser;
import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import jakarta.mail.Flags;
import jakarta.mail.Folder;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.Store;
import jakarta.mail.internet.MimeMessage;
import java.util.Properties;

/** An IMAP server with one mailbox, and a connection to it like the watcher's. */
final class ImapServer implements AutoCloseable {

    private final GreenMail server;
    private final MailFolder inbox;
    private final Store store;

    ImapServer() throws MessagingException {
        this(new Properties());
    }

    /** @param settings Jakarta Mail settings in addition to the server's address */
    ImapServer(Properties settings) throws MessagingException {
        server = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_IMAP));
        server.start();
        GreenMailUser user = server.setUser("ann@example.com", "ann", "secret");
        inbox = server.getManagers().getImapHostManager().getFolder(user, "INBOX");
        settings.setProperty("mail.imap.host", "127.0.0.1");
        settings.setProperty("mail.imap.ignorebodystructuresize", "true");
        settings.setProperty("mail.imap.port", String.valueOf(server.getImap().getPort()));
        store = Session.getInstance(settings).getStore("imap");
        store.connect("ann", "secret");
    }

    void put(MimeMessage mail) {
        inbox.appendMessage(mail, new Flags(), MailFiles.RECEIVED);
    }

    Folder open() throws MessagingException {
        Folder folder = store.getFolder("INBOX");
        folder.open(Folder.READ_WRITE);
        return folder;
    }

    /** Stops the server without a LOGOUT, as when its machine loses power. */
    void stop() {
        server.stop();
    }

    @Override
    public void close() throws MessagingException {
        store.close();
        server.stop();
    }
}
