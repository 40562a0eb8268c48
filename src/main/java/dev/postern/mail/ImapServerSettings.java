package dev.postern.mail;

import dev.postern.config.MailboxSettings;
import dev.postern.config.MailboxSettings.ImapServer;
import dev.postern.config.MailboxSettings.Login;
import dev.postern.config.MailboxSettings.Security;
import dev.postern.model.Secret;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An IMAP server, and how it lets us in.
 *
 * @param authorities certificates that are trusted beside Java's own authorities
 * @param options further properties of Jakarta Mail, by what follows {@code mail.imap.} in their names
 */
record ImapServerSettings(
        String host,
        int port,
        Security security,
        List<X509Certificate> authorities,
        String username,
        @Nullable Login login,
        Map<String, String> options) {

    /** Time for three packets that are lost; so long nobody can end a connection that begins with TLS. */
    private static final Duration CONNECT = Duration.ofSeconds(9);

    /** By which a server's mail session says whom it trusts. */
    private static final Set<String> TRUST_OPTIONS = Set.of("ssl.trust", "ssl.socketFactory.class");

    private static final int FETCH_BYTES = 65_536;

    ImapServerSettings {
        authorities = List.copyOf(authorities);
        options = Map.copyOf(options);
    }

    /** The server that {@code watch} names; what {@code session} says goes before that. */
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

    /** Its address. */
    String where() {
        return host + ":" + port;
    }

    private static <T> T or(@Nullable T first, T second) {
        return first == null ? second : first;
    }

    /**
     * The properties of a session with it.
     *
     * @param silence after so long without an answer a connection is dead
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
        ours.accept("partialfetch", true); // or a text that is cut would be had whole
        ours.accept("fetchsize", FETCH_BYTES);
        ours.accept("ignorebodystructuresize", true); // which servers get wrong
        ours.accept("socketFactory.fallback", false);
        properties.put(named("socketFactory"), closableSocketFactory);
        if (security != Security.NONE && !trustsByItself) {
            properties.put(named("ssl.socketFactory"), TlsSocketFactory.of(authorities, closableSocketFactory));
        }
        return properties;
    }

    private static String named(String option) {
        return "mail." + ImapStore.NAME + "." + option;
    }
}
