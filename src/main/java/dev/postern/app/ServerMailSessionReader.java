package dev.postern.app;

import dev.postern.config.MailboxSettings.Security;
import dev.postern.mail.MailSession;
import dev.postern.model.Secret;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the mailbox's address and credentials from a server's mail session. The session's class is the server's, and
 * not ours of the same name. The reader therefore calls its public methods by reflection, with any class loader.
 */
final class ServerMailSessionReader {

    private ServerMailSessionReader() {}

    /**
     * Reads {@code session}.
     *
     * @throws ReflectiveOperationException if it is no mail session
     */
    static MailSession read(Object session) throws ReflectiveOperationException {
        Properties properties =
                (Properties) session.getClass().getMethod("getProperties").invoke(session);
        String protocol = properties.getProperty("mail.store.protocol", "imap");
        String prefix = "mail." + protocol + ".";
        Map<String, String> options = new HashMap<>();
        for (String name : properties.stringPropertyNames()) {
            if (name.startsWith(prefix)) {
                options.put(name.substring(prefix.length()), properties.getProperty(name));
            }
        }
        @Nullable String host = options.getOrDefault("host", properties.getProperty("mail.host"));
        Security security = security(protocol, options);
        @Nullable String user = options.getOrDefault("user", properties.getProperty("mail.user"));
        return new MailSession(
                host,
                host == null ? null : port(options, security),
                host == null ? null : security,
                user,
                password(session, properties, protocol, user),
                options);
    }

    private static int port(Map<String, String> options, Security security) {
        return Integer.parseInt(options.getOrDefault("port", security == Security.TLS ? "993" : "143"));
    }

    private static Security security(String protocol, Map<String, String> options) {
        if (protocol.equals("imaps") || "true".equals(options.get("ssl.enable"))) {
            return Security.TLS;
        }
        return "false".equals(options.get("starttls.enable")) ? Security.NONE : Security.STARTTLS;
    }

    /** The password of the session's authenticator, or else of its properties; null if there is none. */
    private static @Nullable Secret password(
            Object session, Properties properties, String protocol, @Nullable String user)
            throws ReflectiveOperationException {
        Method request = session.getClass()
                .getMethod(
                        "requestPasswordAuthentication",
                        InetAddress.class,
                        int.class,
                        String.class,
                        String.class,
                        String.class);
        @Nullable Object answer = request.invoke(session, null, -1, protocol, null, user);
        @Nullable
        Object password = answer == null
                ? properties.getProperty("mail." + protocol + ".password", properties.getProperty("mail.password"))
                : answer.getClass().getMethod("getPassword").invoke(answer);
        return password == null ? null : new Secret(password.toString());
    }
}
