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

/** The commands {@code mail setup} and {@code mail test}. */
public final class MailCommand {

    private MailCommand() {}

    /**
     * Has a mailbox watched from the next start on: asks for its secret, tries it, and writes {@code mail.yaml}.
     *
     * @param in where the secret is read from when there is no terminal
     * @param out says what will happen
     * @param err says what is wrong, and asks
     * @param options by the names of the settings below {@code hooks.gmail}; {@code account} is among them, and perhaps
     *     {@code oauth}
     * @return 0 where the mailbox will be watched, else 1, and then nothing was changed
     */
    public static int setup(InputStream in, PrintStream out, PrintStream err, Map<String, String> options) {
        return new MailSetupCommand(new TerminalPrompt(System.console(), in, err), out, err).run(options);
    }

    /**
     * Shows the last mails of the mailbox and what would become of them; needs no database, so a server may be running.
     *
     * @param out gets one JSON object for each mail
     * @param err says what is wrong
     * @param options perhaps {@code account}, which has to be the configured one
     * @return 0 where the mailbox could be read, else 1
     */
    public static int test(InputStream in, PrintStream out, PrintStream err, Map<String, String> options) {
        return new MailTestCommand(out, err).run(options.get("account"));
    }

    /** Does something with a mailbox. */
    interface Visit<T> {
        T visit(Mailbox mailbox) throws MailException;
    }

    /** Opens {@code watch}, which is read and not changed, for the time of {@code visit}. */
    static <T> T in(MailboxSettings watch, Visit<T> visit) throws MailException {
        return in(connections -> Mailbox.open(watch, connections, InstantSource.system()), visit);
    }

    /**
     * The same with a refresh token that may be exchanged meanwhile, and is the caller's to keep.
     *
     * @param refreshToken null where the mailbox takes another login
     */
    static <T> T in(MailboxSettings watch, @Nullable RefreshToken refreshToken, Visit<T> visit) throws MailException {
        return in(connections -> Mailbox.open(watch, refreshToken, connections, InstantSource.system()), visit);
    }

    private interface Opening {
        Mailbox open(HttpConnections connections) throws MailException;
    }

    private static <T> T in(Opening opening, Visit<T> visit) throws MailException {
        ExecutorService executor = Executors.newCachedThreadPool();
        try (HttpConnections connections = new HttpConnections(executor);
                Mailbox mailbox = opening.open(connections)) {
            return visit.visit(mailbox);
        } finally {
            executor.shutdownNow();
        }
    }

    /** What the operator may do about {@code fault}, beside what it says itself; perhaps empty. */
    static String advice(MailboxSettings watch, MailException fault) {
        return switch (fault.kind()) {
            case LOGIN -> login(watch);
            case UNREACHABLE -> "Check host, port and security.";
            case UNTRUSTED, LABEL, LOST -> "";
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
