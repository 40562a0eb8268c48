package dev.postern.mail;

import dev.postern.config.MailboxSettings;
import dev.postern.config.MailboxSettings.Afterwards;
import dev.postern.mail.message.MailHookPayload;
import dev.postern.mail.message.MailReader;
import dev.postern.net.ClosableSocketFactory;
import dev.postern.net.HttpConnections;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A mailbox that a command reads and does not change. For one thread. */
public final class Mailbox implements AutoCloseable {

    private static final Logger LOG = System.getLogger(Mailbox.class.getName());
    private static final Duration SILENCE = Duration.ofSeconds(30);

    private final MailboxSettings watch;
    private final MailConnection connection;

    private Mailbox(MailboxSettings watch, MailConnection connection) {
        this.watch = watch;
        this.connection = connection;
    }

    /**
     * Connects, logs in, opens the folder as the watcher will, and checks that the folder to move mails to exists.
     *
     * @param connections connections to the token service
     * @throws MailException in words for the operator
     */
    public static Mailbox open(MailboxSettings watch, HttpConnections connections, InstantSource clock)
            throws MailException {
        return open(watch, RefreshToken.of(watch.server().login()), connections, clock);
    }

    /**
     * Opens the mailbox in the same way, with the caller's refresh token.
     *
     * @param refreshToken null if the mailbox takes another login
     */
    public static Mailbox open(
            MailboxSettings watch,
            @Nullable RefreshToken refreshToken,
            HttpConnections connections,
            InstantSource clock)
            throws MailException {
        MailAccessTokens tokens = MailAccessTokens.of(watch.server().login(), refreshToken, connections, clock);
        ImapLogin imapLogin = new ImapLogin(ImapServerSettings.of(watch, null), tokens, SILENCE);
        boolean writes = !(watch.afterwards() instanceof Afterwards.Leave);
        Mailbox mailbox = new Mailbox(watch, imapLogin.open(watch.label(), writes, new ClosableSocketFactory()));
        boolean fit = false;
        try {
            if (watch.afterwards() instanceof Afterwards.Move move) {
                mailbox.connection.requireTarget(move.folder());
            }
            fit = true;
            return mailbox;
        } finally {
            if (!fit) {
                mailbox.close();
            }
        }
    }

    /** Number of mails in the folder. */
    public int count() throws MailException {
        return connection.folder().count();
    }

    /** Whether the server announces new mail by itself (IDLE), rather than only when it is polled. */
    public boolean supportsIdle() {
        return connection.supportsIdle();
    }

    /**
     * A mail of the mailbox.
     *
     * @param uid the server's UID
     * @param payload the mail as the watcher would submit it; null if the server can't give the mail
     */
    public record NewestMail(long uid, @Nullable MailHookPayload payload) {}

    /**
     * The {@code most} newest mails as the watcher would read them, oldest first.
     *
     * @param answers whether there is a channel that takes answers to a recipient
     */
    public List<NewestMail> newest(int most, Predicate<String> answers) throws MailException {
        MailReader reader = new MailReader(watch.account(), watch.includeBody(), watch.maxBytes(), answers);
        OpenMailFolder folder = connection.folder();
        List<Message> mails = folder.newest(most);
        folder.prefetch(mails);
        List<NewestMail> read = new ArrayList<>();
        for (Message mail : mails) {
            long uid = folder.uid(mail);
            try {
                Optional<Instant> unused = folder.arrived(mail); // the watcher reads no mail whose arrival is refused
                read.add(new NewestMail(uid, reader.read(mail, folder.received(mail, watch.label()))));
            } catch (MessagingException | RuntimeException | StackOverflowError e) {
                if (MailFailureMessages.isLost(e)) {
                    throw new MailException(
                            MailException.Kind.LOST, "the connection was lost while a mail was read", e);
                }
                LOG.log(Level.DEBUG, "Reading a mail failed", e);
                read.add(new NewestMail(uid, null));
            }
        }
        return read;
    }

    @Override
    public void close() {
        connection.close();
    }
}
