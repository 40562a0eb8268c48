package dev.postern.app;

import dev.postern.config.MailboxSettings;
import dev.postern.mail.MailException;
import dev.postern.mail.Mailbox;
import dev.postern.mail.RefreshToken;
import dev.postern.net.HttpConnections;
import java.io.InputStream;
import java.io.PrintStream;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** The entry points of the commands {@code mail setup} and {@code mail test}. */
public final class MailCommand {

    private MailCommand() {}

    /**
     * Sets up a mailbox, which is watched from the next start on: asks for its secret, tries it, and writes
     * {@code mail.yaml}.
     *
     * @param in the input with the secret when there is no terminal
     * @param out gets what will happen
     * @param err gets the problems and the questions
     * @param options the values by the names of the settings below {@code hooks.gmail}; includes {@code account} and may
     *     include {@code oauth}. {@code answerTo} switches answers on for addresses and domains, with commas between them;
     *     {@code smtpHost}, {@code smtpPort} and {@code smtpSecurity} name the server that sends them
     * @return 0 if the mailbox will be watched, else 1, and then nothing was changed
     */
    public static int setup(InputStream in, PrintStream out, PrintStream err, Map<String, String> options) {
        return new MailSetupCommand(new TerminalPrompt(System.console(), in, err), out, err).run(options);
    }

    /**
     * Shows the last mails of the mailbox and their explanations. Needs no database, so that a server may run at the same
     * time.
     *
     * @param out gets one JSON object for each mail
     * @param err gets the problems
     * @param options may include {@code account}, which has to be the configured one
     * @return 0 if the mailbox could be read, else 1
     */
    public static int test(InputStream in, PrintStream out, PrintStream err, Map<String, String> options) {
        return new MailTestCommand(out, err).run(options.get("account"));
    }

    /** An operation on an open mailbox. */
    interface MailboxOperation<T> {
        T apply(Mailbox mailbox) throws MailException;
    }

    /** Opens {@code watch} for {@code visit}, which reads the mailbox and does not change it. */
    static <T> T withMailbox(MailboxSettings watch, MailboxOperation<T> mailboxOperation) throws MailException {
        return withMailbox(connections -> Mailbox.open(watch, connections, InstantSource.system()), mailboxOperation);
    }

    /**
     * Opens {@code watch} for {@code visit}. The refresh token may be exchanged meanwhile; the caller stores the new one.
     *
     * @param refreshToken null if the mailbox uses another login
     */
    static <T> T withMailbox(
            MailboxSettings watch, @Nullable RefreshToken refreshToken, MailboxOperation<T> mailboxOperation)
            throws MailException {
        return withMailbox(
                connections -> Mailbox.open(watch, refreshToken, connections, InstantSource.system()),
                mailboxOperation);
    }

    private interface Opening {
        Mailbox open(HttpConnections connections) throws MailException;
    }

    private static <T> T withMailbox(Opening opening, MailboxOperation<T> mailboxOperation) throws MailException {
        ExecutorService executor = Executors.newCachedThreadPool();
        try (HttpConnections connections = new HttpConnections(executor);
                Mailbox mailbox = opening.open(connections)) {
            return mailboxOperation.apply(mailbox);
        } finally {
            executor.shutdownNow();
        }
    }

    /** The operator's remedy for {@code fault}, in addition to its message; may be empty. */
    static String advice(MailboxSettings watch, MailException fault) {
        return switch (fault.kind()) {
            case LOGIN -> login(watch);
            case UNREACHABLE -> "Check host, port and security.";
            case UNTRUSTED, LABEL, LOST, DATABASE -> "";
        };
    }

    private static String login(MailboxSettings watch) {
        return watch.server().login() instanceof MailboxSettings.Oauth
                ? "Check the client, and whether the refresh token has been revoked."
                : KnownMailProvider.at(watch.server().host())
                        .map(KnownMailProvider::login)
                        .orElse("Check the password and the user name, and that the mailbox's settings allow IMAP.");
    }
}
