package dev.postern.app;

import dev.postern.config.MailWatch.Security;
import dev.postern.mail.MailSession;
import dev.postern.model.Secret;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * What a server's mail session says of the mailbox. The session is of a class of the server's, which is another one than
 * ours of the same name; so it is asked by its public methods, whoever has loaded it.
 */
final class MailSessions {

    private MailSessions() {}

    /**
     * Reads {@code session}.
     *
     * @throws ReflectiveOperationException when it is none of that class
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
        @Nullable String port = options.get("port");
        @Nullable String user = options.getOrDefault("user", properties.getProperty("mail.user"));
        boolean tls = protocol.equals("imaps") || Boolean.parseBoolean(options.get("ssl.enable"));
        boolean plain = "false".equals(options.get("starttls.enable"));
        return new MailSession(
                host,
                port == null ? null : Integer.valueOf(port.strip()),
                tls ? Security.TLS : plain ? Security.NONE : Security.STARTTLS,
                user,
                password(session, properties, protocol, user),
                options);
    }

    /** What the session's authenticator answers, or what its properties hold. */
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
