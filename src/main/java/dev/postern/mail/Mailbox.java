package dev.postern.mail;

import dev.postern.config.MailboxSettings;
import dev.postern.config.MailboxSettings.Afterwards;
import dev.postern.mail.message.MailHookPayload;
import dev.postern.mail.message.MailReader;
import dev.postern.net.ClosableSocketFactory;
import dev.postern.net.HttpConnections;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A mailbox that a command reads and does not change. For one thread. */
public final class Mailbox implements AutoCloseable {

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
     * The {@code most} newest mails as the watcher would read them, oldest first.
     *
     * @param answers whether there is a channel that takes answers to a recipient
     */
    public List<MailHookPayload> newest(int most, Predicate<String> answers) throws MailException {
        MailReader reader = new MailReader(watch.account(), watch.includeBody(), watch.maxBytes(), answers);
        List<Message> mails = connection.folder().newest(most);
        connection.folder().prefetch(mails);
        List<MailHookPayload> read = new ArrayList<>();
        for (Message mail : mails) {
            try {
                read.add(reader.read(mail, connection.folder().received(mail, watch.label())));
            } catch (MessagingException e) {
                throw new MailException(MailException.Kind.LOST, "the connection was lost while a mail was read", e);
            }
        }
        return read;
    }

    @Override
    public void close() {
        connection.close();
    }
}
