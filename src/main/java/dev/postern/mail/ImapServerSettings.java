package dev.postern.mail;

import dev.postern.config.MailboxSettings;
import dev.postern.config.MailboxSettings.ImapServer;
import dev.postern.config.MailboxSettings.Login;
import dev.postern.config.MailboxSettings.Security;
import dev.postern.mail.MailException.Kind;
import dev.postern.model.Secret;
import dev.postern.net.ClosableSocketFactory;
import dev.postern.net.TlsSocketFactory;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an IMAP server: its address, its TLS and the login.
 *
 * @param authorities certificates that are trusted in addition to Java's own authorities
 * @param options further properties of Jakarta Mail, keyed by the rest of their names after {@code mail.imap.}
 */
record ImapServerSettings(
        String host,
        int port,
        Security security,
        List<X509Certificate> authorities,
        String username,
        @Nullable Login login,
        Map<String, String> options) {

    /** Enough for three lost packets. A connection that begins with TLS can't be closed from outside during this time. */
    private static final Duration CONNECT = Duration.ofSeconds(9);

    /** Options by which a server's mail session says which certificates it trusts. */
    private static final Set<String> TRUST_OPTIONS = Set.of("ssl.trust", "ssl.socketFactory.class");

    private static final int FETCH_BYTES = 65_536;

    ImapServerSettings {
        authorities = List.copyOf(authorities);
        options = Map.copyOf(options);
    }

    /** The server of {@code watch}; the values of {@code session} take precedence. */
    static ImapServerSettings of(MailboxSettings watch, @Nullable MailSession session) {
        ImapServer named = watch.server();
        if (session == null) {
            return new ImapServerSettings(
                    named.host(),
                    named.port(),
                    named.security(),
                    named.authorities(),
                    named.username(),
                    named.login(),
                    Map.of());
        }
        @Nullable Secret password = session.password();
        return new ImapServerSettings(
                or(session.host(), named.host()),
                or(session.port(), named.port()),
                or(session.security(), named.security()),
                named.authorities(),
                or(session.username(), named.username()),
                password == null ? named.login() : new MailboxSettings.Password(password),
                session.options());
    }

    /** The address, {@code host:port}. */
    String where() {
        return host + ":" + port;
    }

    private static <T> T or(@Nullable T first, T second) {
        return first == null ? second : first;
    }

    /**
     * The Jakarta Mail properties of a session with this server.
     *
     * @param silence time without a response after which a connection counts as dead
     */
    Properties properties(Duration silence, ClosableSocketFactory closableSocketFactory) throws MailException {
        Properties properties = new Properties();
        boolean trustsByItself =
                authorities.isEmpty() && options.keySet().stream().anyMatch(TRUST_OPTIONS::contains);
        options.forEach((name, value) -> {
            if (trustsByItself || !TRUST_OPTIONS.contains(name)) {
                properties.setProperty(named(name), value);
            }
        });
        BiConsumer<String, Object> ours = (name, value) -> properties.setProperty(named(name), value.toString());
        ours.accept("connectiontimeout", CONNECT.toMillis());
        ours.accept("timeout", silence.toMillis());
        ours.accept("ssl.checkserveridentity", true);
        ours.accept("starttls.enable", security != Security.NONE);
        ours.accept("starttls.required", security == Security.STARTTLS);
        ours.accept("auth.mechanisms", login instanceof MailboxSettings.Oauth ? "XOAUTH2" : "PLAIN LOGIN");
        ours.accept("peek", true);
        ours.accept("partialfetch", true); // otherwise a text that is cut would be fetched whole
        ours.accept("fetchsize", FETCH_BYTES);
        ours.accept("ignorebodystructuresize", true); // servers get it wrong
        ours.accept("socketFactory.fallback", false);
        properties.put(named("socketFactory"), closableSocketFactory);
        if (security != Security.NONE && !trustsByItself) {
            properties.put(named("ssl.socketFactory"), tls(closableSocketFactory));
        }
        return properties;
    }

    private TlsSocketFactory tls(ClosableSocketFactory closableSocketFactory) throws MailException {
        try {
            return TlsSocketFactory.of(authorities, closableSocketFactory);
        } catch (GeneralSecurityException e) {
            throw new MailException(
                    Kind.UNREACHABLE,
                    "the authorities that Java trusts can't be read (check javax.net.ssl.trustStore)",
                    e);
        }
    }

    private static String named(String option) {
        return "mail." + ImapStore.NAME + "." + option;
    }
}
