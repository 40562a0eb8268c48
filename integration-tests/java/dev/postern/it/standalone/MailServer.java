package dev.postern.it.standalone;

import com.icegreen.greenmail.Managers;
import com.icegreen.greenmail.imap.AuthorizationException;
import com.icegreen.greenmail.imap.ImapHandler;
import com.icegreen.greenmail.imap.ImapHostManager;
import com.icegreen.greenmail.imap.ProtocolException;
import com.icegreen.greenmail.store.FolderException;
import com.icegreen.greenmail.store.MailFolder;
import com.icegreen.greenmail.store.StoredMessage;
import com.icegreen.greenmail.user.GreenMailUser;
import jakarta.mail.Flags;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * An extension, for a field, that runs an IMAP server with one mailbox in this process. So the server outlives every
 * Postern that watches it.
 */
final class MailServer implements BeforeEachCallback, AfterEachCallback {

    /** Whose mailbox it is. */
    static final String ACCOUNT = "ops@example.org";

    /** What lets its owner in, until {@link #password} says otherwise. */
    static final String PASSWORD = "it-mail-8f2cKq0vTz41";

    private static final String INBOX = "INBOX";

    private final List<AutoCloseable> ends = new CopyOnWriteArrayList<>();
    private Managers managers;
    private GreenMailUser user;
    private PausableServerSocket listening;

    @Override
    public void beforeEach(ExtensionContext context) throws Exception {
        managers = new Managers();
        user = managers.getUserManager().createUser(ACCOUNT, ACCOUNT, PASSWORD);
        listening = new PausableServerSocket();
        ends.add(listening);
        start("mail-server", this::listen);
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        for (AutoCloseable each : ends) {
            each.close();
        }
        ends.clear();
    }

    int port() {
        return listening.getLocalPort();
    }

    /** A way to it that a test can cut. */
    DroppingProxy proxy() throws IOException {
        return known(DroppingProxy.to(port()));
    }

    /** A way to it that lets it seem to know nothing of IDLE. */
    DroppingProxy withoutIdle() throws IOException {
        return known(DroppingProxy.withoutIdle(port()));
    }

    /** {@code hooks} with the preset for mails, and the watch of the mailbox, reached at {@code port}, with {@code more} settings. */
    static String watched(int port, String... more) {
        return HomeFixture.hooks(
                "presets: [gmail]",
                "maxPending: 100000",
                Stream.concat(
                                Stream.of("account: " + ACCOUNT, "host: 127.0.0.1", "port: " + port, "security: none"),
                                Arrays.stream(more))
                        .collect(Collectors.joining(", ", "gmail: {", "}")));
    }

    /** The setting with which {@link #watched} can log in. */
    static String withPassword() {
        return "password: " + PASSWORD;
    }

    /** Has the server take another password from now on; as an access token, too. */
    void password(String other) {
        user.setPassword(other);
    }

    /** Puts {@code mail} into the inbox; each time it is another one for the server. */
    void deliver(TestMail mail) {
        deliver(INBOX, Instant.now(), mail);
    }

    /** The same, into any folder, with what the server takes for the moment of its arrival. */
    synchronized void deliver(String folder, Instant received, TestMail mail) {
        MimeMessage message = mail.message(ACCOUNT);
        listening.pause();
        try {
            folder(folder).appendMessage(message, new Flags(), Date.from(received));
        } finally {
            listening.resume();
        }
    }

    /** What is in the inbox. */
    List<StoredMessage> inbox() {
        return folder(INBOX).getMessages();
    }

    /** The folder called {@code name}, which is made when it isn't there. */
    MailFolder folder(String name) {
        try {
            MailFolder folder = host().getFolder(user, name);
            return folder == null ? host().createMailbox(user, name) : folder;
        } catch (FolderException | AuthorizationException e) {
            throw new IllegalStateException("no folder " + name, e);
        }
    }

    /** Takes the folder called {@code name} away with all that is in it; those that look at it are thrown out. */
    void remove(String name) {
        try {
            host().deleteMailbox(user, name);
        } catch (FolderException | AuthorizationException e) {
            throw new IllegalStateException("no folder " + name, e);
        }
    }

    private void listen() {
        try {
            while (true) {
                Socket socket = listening.accept();
                ImapHandler handler = new ImapHandler(managers.getUserManager(), host(), socket);
                ends.add(handler::close);
                start("mail-connection", () -> listening.serve(() -> serve(handler)));
            }
        } catch (IOException e) {
            if (!listening.isClosed()) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static void serve(ImapHandler handler) {
        try {
            handler.run();
        } catch (IllegalStateException e) {
            Throwable cause = e.getCause();
            if (!(cause instanceof ProtocolException
                    || cause instanceof IOException)) { // that says that a client is gone
                throw e;
            }
        }
    }

    private static void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    private ImapHostManager host() {
        return managers.getImapHostManager();
    }

    private DroppingProxy known(DroppingProxy proxy) {
        ends.add(proxy);
        return proxy;
    }
}
