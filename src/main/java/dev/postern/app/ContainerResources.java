package dev.postern.app;

import dev.postern.mail.MailSession;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;

/**
 * What the server has bound for this web application, looked up once, in the listener's thread. A name that is missing is
 * normal; a name that holds something else is said, since somebody meant it.
 *
 * @param database {@code java:comp/env/jdbc/postern}
 * @param executor {@code java:comp/env/concurrent/postern}, else {@code java:comp/DefaultManagedExecutorService}
 * @param mail {@code java:comp/env/mail/postern}
 */
record ContainerResources(
        Optional<DataSource> database, Optional<ExecutorService> executor, Optional<MailSession> mail) {

    private static final System.Logger LOG = System.getLogger(ContainerResources.class.getName());

    private static final String MAIL = "java:comp/env/mail/postern";

    static ContainerResources lookUp() {
        return new ContainerResources(
                find("java:comp/env/jdbc/postern", DataSource.class),
                find("java:comp/env/concurrent/postern", ExecutorService.class)
                        .or(() -> find("java:comp/DefaultManagedExecutorService", ExecutorService.class)),
                mailSession());
    }

    private static Optional<MailSession> mailSession() {
        Thread thread = Thread.currentThread();
        ClassLoader own = thread.getContextClassLoader();
        thread.setContextClassLoader(ServerMailLoader.over(ContainerResources.class.getClassLoader()));
        try {
            return find(MAIL, Object.class).flatMap(ContainerResources::read);
        } finally {
            thread.setContextClassLoader(own);
        }
    }

    private static Optional<MailSession> read(Object found) {
        try {
            return Optional.of(MailSessions.read(found));
        } catch (ReflectiveOperationException | RuntimeException unfit) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} is bound to a {1} and is not used; a mail session is wanted, whose port is a number",
                    MAIL,
                    found.getClass().getName());
            return Optional.empty();
        }
    }

    /** The names are constants: nothing a sender or a file says is looked up. */
    @SuppressWarnings("BanJNDI")
    private static <T> Optional<T> find(String name, Class<T> type) {
        Object found;
        try {
            found = new InitialContext().lookup(name);
        } catch (NamingException absent) {
            LOG.log(
                    System.Logger.Level.DEBUG,
                    "{0} is not bound: {1}",
                    name,
                    absent.getClass().getSimpleName());
            return Optional.empty();
        }
        if (!type.isInstance(found)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} is bound to a {1} and is not used; a {2} is wanted",
                    name,
                    found == null ? "null" : found.getClass().getName(),
                    type.getName());
            return Optional.empty();
        }
        LOG.log(System.Logger.Level.INFO, "{0} is used", name);
        return Optional.of(type.cast(found));
    }
}
