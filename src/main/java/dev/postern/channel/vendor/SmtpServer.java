package dev.postern.channel.vendor;

import dev.postern.channel.vendor.HttpResult.Failure;
import dev.postern.model.Secret;
import dev.postern.net.ClosableSocketFactory;
import dev.postern.net.TlsSocketFactory;
import jakarta.mail.Address;
import jakarta.mail.AuthenticationFailedException;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.io.ByteArrayInputStream;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.eclipse.angus.mail.smtp.SMTPAddressFailedException;
import org.eclipse.angus.mail.smtp.SMTPSendFailedException;
import org.eclipse.angus.mail.smtp.SMTPSenderFailedException;
import org.eclipse.angus.mail.util.SocketConnectException;
import org.jspecify.annotations.Nullable;

/**
 * An SMTP server that takes mails of one account (RFC 6409). Each exchange has a connection of its own, and a thread that
 * ends with it: Angus can't be interrupted, and has no limit for a whole exchange.
 *
 * @param security {@code tls}, {@code starttls} or {@code none}
 * @param authorities certificates that are trusted in addition to Java's own authorities
 * @param timeout the longest time for an exchange, unless the end of a mail was sent by then
 * @param lastReply the longest time behind {@code timeout} for the reply to the end of a mail
 */
record SmtpServer(
        String host,
        int port,
        String security,
        List<X509Certificate> authorities,
        String account,
        Duration timeout,
        Duration lastReply) {

    private static final Duration CONNECT = Duration.ofSeconds(9);

    /** Time for an exchange to end after its sockets were closed. */
    private static final Duration ENDING = Duration.ofSeconds(5);

    /** The name for EHLO: an address literal, because this machine's name may not be known to the server. */
    private static final String OWN_NAME = "[127.0.0.1]";

    /** A reply code, and an enhanced status code behind it (RFC 2034). */
    private static final Pattern REPLY =
            Pattern.compile("([45][0-9]{2})(?:[ -]([45]\\.[0-9]{1,3}\\.[0-9]{1,3})(?![0-9.]))?");

    SmtpServer {
        authorities = List.copyOf(authorities);
    }

    /**
     * Logs in and sends {@code mail}, without a login if the server offers none.
     *
     * @param secret the password or access token
     * @param token whether {@code secret} is an access token
     * @param mail null to log in alone, which a server has to offer
     */
    SmtpResult exchange(Secret secret, boolean token, @Nullable OutgoingMail mail) {
        if (Thread.currentThread().isInterrupted()) {
            return new SmtpResult.Unsent(Failure.STOPPED);
        }
        ClosableSocketFactory sockets = new ClosableSocketFactory();
        SmtpTransport transport;
        try {
            transport = new SmtpTransport(Session.getInstance(properties(token, sockets)), security.equals("tls"));
        } catch (GeneralSecurityException unreadable) {
            return new SmtpResult.Unsent(Failure.NOT_SECURED);
        }
        FutureTask<SmtpResult> task = new FutureTask<>(() -> talk(transport, secret.reveal(), mail));
        Thread thread = new Thread(task, Thread.currentThread().getName() + "-smtp");
        thread.setDaemon(true);
        thread.start();
        try {
            return await(task, transport);
        } catch (TimeoutException e) {
            return end(sockets, transport, task, Failure.NO_ANSWER);
        } catch (InterruptedException e) {
            SmtpResult result = end(sockets, transport, task, Failure.STOPPED);
            Thread.currentThread().interrupt();
            return result;
        } catch (ExecutionException e) {
            throw new IllegalStateException("an exchange with an SMTP server has failed", e.getCause());
        } finally {
            sockets.shutDown();
        }
    }

    private SmtpResult await(FutureTask<SmtpResult> task, SmtpTransport transport)
            throws InterruptedException, ExecutionException, TimeoutException {
        try {
            return task.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            if (!transport.mayHaveSent()) {
                throw e;
            }
            return task.get(lastReply.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** Ends the exchange; {@code failure} is the reason unless the server's reply was there already. */
    private static SmtpResult end(
            ClosableSocketFactory sockets, SmtpTransport transport, FutureTask<SmtpResult> task, Failure failure) {
        sockets.shutDown();
        try {
            SmtpResult result = task.get(ENDING.toMillis(), TimeUnit.MILLISECONDS);
            if (!(result instanceof SmtpResult.Unsent || result instanceof SmtpResult.Lost)) {
                return result;
            }
        } catch (TimeoutException | InterruptedException | ExecutionException e) {
            System.getLogger(SmtpServer.class.getName())
                    .log(System.Logger.Level.DEBUG, "An exchange with an SMTP server did not end by itself", e);
        }
        return ended(transport, failure);
    }

    private static SmtpResult ended(SmtpTransport transport, Failure failure) {
        return transport.mayHaveSent() ? new SmtpResult.Lost(failure) : new SmtpResult.Unsent(failure);
    }

    private SmtpResult talk(SmtpTransport transport, String secret, @Nullable OutgoingMail mail) {
        try {
            transport.connect(host, port, account, secret);
            if (mail == null && !transport.offersLogin()) {
                return new SmtpResult.LoginNotOffered();
            }
            if (mail != null) {
                MimeMessage message = new MimeMessage(transport.session(), new ByteArrayInputStream(mail.bytes()));
                transport.sendMessage(
                        message,
                        new Address[] {new InternetAddress(mail.recipient().address(), true)});
            }
            return new SmtpResult.Done();
        } catch (MessagingException e) {
            return result(transport, e);
        } finally {
            transport.end();
        }
    }

    private SmtpResult result(SmtpTransport transport, MessagingException thrown) {
        for (@Nullable Throwable next = thrown; next != null; next = next.getCause()) {
            int status = status(next);
            if (status >= 400) {
                return new SmtpResult.Rejected(status, code(status, String.valueOf(next.getMessage())));
            }
        }
        int status = transport.getLastReturnCode();
        if (status >= 400) {
            String code = code(status, transport.getLastServerResponse());
            boolean login = thrown instanceof AuthenticationFailedException && status >= 500;
            return login ? new SmtpResult.LoginRejected(code) : new SmtpResult.Rejected(status, code);
        }
        if (thrown instanceof AuthenticationFailedException) {
            if (status == SmtpTransport.CHALLENGE) {
                return new SmtpResult.LoginRejected("status " + status);
            }
            boolean answered = status > 0;
            return answered ? new SmtpResult.LoginNotOffered() : new SmtpResult.Unsent(Failure.BROKEN);
        }
        return ended(transport, failure(transport, thrown));
    }

    private static int status(Throwable thrown) {
        if (thrown instanceof SMTPSendFailedException failed) {
            return failed.getReturnCode();
        }
        if (thrown instanceof SMTPSenderFailedException failed) {
            return failed.getReturnCode();
        }
        return thrown instanceof SMTPAddressFailedException failed ? failed.getReturnCode() : -1;
    }

    private static String code(int status, String reply) {
        Matcher matcher = REPLY.matcher(reply);
        while (matcher.find()) {
            if (matcher.group(1).equals(Integer.toString(status)) && matcher.group(2) != null) {
                return matcher.group(1) + " " + matcher.group(2);
            }
        }
        return "status " + status;
    }

    private Failure failure(SmtpTransport transport, MessagingException thrown) {
        boolean connecting = false;
        for (@Nullable Throwable next = thrown; next != null; next = next.getCause()) {
            connecting |= next instanceof SocketConnectException;
            if (next instanceof UnknownHostException) {
                return Failure.UNKNOWN_HOST;
            }
            if (next instanceof SSLException || next instanceof GeneralSecurityException) {
                return Failure.NOT_SECURED;
            }
            if (next instanceof ConnectException || next instanceof NoRouteToHostException) {
                return Failure.NOT_CONNECTED;
            }
            if (next instanceof SocketTimeoutException) {
                return connecting ? Failure.NOT_CONNECTED : Failure.NO_ANSWER;
            }
        }
        boolean isForTls = !security.equals("none") && !transport.wasReady() && thrown.getCause() == null;
        return isForTls ? Failure.NOT_SECURED : Failure.BROKEN;
    }

    private Properties properties(boolean token, ClosableSocketFactory sockets) throws GeneralSecurityException {
        Properties properties = new Properties();
        properties.setProperty("mail.smtp.connectiontimeout", Long.toString(CONNECT.toMillis()));
        properties.setProperty(
                "mail.smtp.timeout",
                Long.toString(timeout.plus(lastReply).plus(ENDING).toMillis()));
        properties.setProperty("mail.smtp.localhost", OWN_NAME);
        properties.setProperty("mail.smtp.auth", "true");
        properties.setProperty("mail.smtp.auth.mechanisms", token ? "XOAUTH2" : "PLAIN LOGIN");
        properties.setProperty("mail.smtp.quitwait", "false");
        properties.setProperty("mail.smtp.socketFactory.fallback", "false");
        properties.put("mail.smtp.socketFactory", sockets);
        if (!security.equals("none")) {
            properties.setProperty("mail.smtp.ssl.checkserveridentity", "true");
            properties.setProperty("mail.smtp.starttls.enable", "true");
            properties.setProperty("mail.smtp.starttls.required", Boolean.toString(security.equals("starttls")));
            properties.put("mail.smtp.ssl.socketFactory", TlsSocketFactory.of(authorities, sockets));
        }
        return properties;
    }
}
