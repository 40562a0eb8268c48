package dev.postern.mail;

import com.icegreen.greenmail.imap.ImapHostManager;
import com.icegreen.greenmail.store.MailFolder;
import com.icegreen.greenmail.store.StoredMessage;
import com.icegreen.greenmail.user.GreenMailUser;
import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import jakarta.mail.Flags;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.MimeMessage;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Properties;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** A mail server with one mailbox. */
final class GreenMailServer implements AutoCloseable {

    static final String ACCOUNT = "ada@example.com";
    static final String PASSWORD = "a-mailbox-password";

    private final GreenMail server;
    private final GreenMailUser user;
    private final ImapHostManager store;
    private int mails;

    GreenMailServer() throws Exception {
        ServerSetup setup = new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_IMAP);
        setup.setServerStartupTimeout(10_000);
        server = new GreenMail(setup);
        server.start();
        user = server.getUserManager().createUser(ACCOUNT, ACCOUNT, PASSWORD);
        store = server.getManagers().getImapHostManager();
    }

    /** A wait for something that happens soon. It ignores exceptions in the server's threads, as when a client hangs up. */
    static ConditionFactory soon() {
        return Awaitility.await()
                .dontCatchUncaughtExceptions()
                .atMost(Duration.ofSeconds(40))
                .pollInterval(Duration.ofMillis(5));
    }

    int port() {
        return server.getImap().getPort();
    }

    /** Delivers a mail with {@code subject}. */
    void deliver(String subject) throws MessagingException {
        deliver(subject, "mail-" + mails++ + "@example.org", Instant.now());
    }

    /** Delivers a mail that is dated as having arrived at {@code arrived}. */
    void deliver(String subject, String id, Instant arrived) throws MessagingException {
        deliver("INBOX", subject, id, arrived);
    }

    void deliver(String folder, String subject, String id, Instant arrived) throws MessagingException {
        String text = "From: Bob <bob@example.org>\r\nTo: " + ACCOUNT + "\r\nSubject: " + subject + "\r\nMessage-ID: <"
                + id + ">\r\nDate: Sat, 21 Nov 2026 10:00:00 +0000\r\n\r\nThe text of " + subject + ".\r\n";
        MimeMessage mail = new MimeMessage(
                Session.getInstance(new Properties()),
                new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII)));
        folder(folder).appendMessage(mail, new Flags(), Date.from(arrived));
    }

    /** The mails of the folder {@code name}, in their order. */
    List<StoredMessage> mails(String name) throws Exception {
        return folder(name).getMessages();
    }

    private MailFolder folder(String name) {
        return store.getFolder(user, name);
    }

    void newFolder(String name) throws Exception {
        store.createMailbox(user, name);
    }

    /** Creates the folder {@code name} again, which renumbers its mails; the server counts UIDVALIDITY in seconds. */
    void recreateFolder(String name) {
        long before = folder(name).getUidValidity();
        soon().until(() -> {
            store.deleteMailbox(user, name);
            return store.createMailbox(user, name).getUidValidity() != before;
        });
    }

    void password(String other) {
        user.setPassword(other);
    }

    @Override
    public void close() {
        server.stop();
    }
}
