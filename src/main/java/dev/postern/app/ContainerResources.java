package dev.postern.app;

import dev.postern.config.JndiEntries;
import dev.postern.config.JndiEntries.Bound;
import dev.postern.mail.MailSession;
import dev.postern.net.ContextClassLoader;
import java.io.IOException;
import java.net.URL;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import javax.sql.DataSource;

/**
 * The resources that the server has bound in JNDI for this web application. They are looked up once, in the listener's
 * thread. A missing name is normal. An object of the wrong type is logged, since it was bound on purpose.
 *
 * @param database the DataSource {@code jdbc/postern}
 * @param executor {@code concurrent/postern}, else {@code java:comp/DefaultManagedExecutorService}
 * @param mail the mail session {@code mail/postern}
 */
record ContainerResources(
        Optional<DataSource> database, Optional<ExecutorService> executor, Optional<MailSession> mail) {

    private static final System.Logger LOG = System.getLogger(ContainerResources.class.getName());

    static ContainerResources lookUp() {
        JndiEntries names = JndiEntries.ofThread();
        return new ContainerResources(
                names.find("jdbc/postern").flatMap(bound -> cast(bound, DataSource.class)),
                names.find("concurrent/postern")
                        .flatMap(bound -> cast(bound, ExecutorService.class))
                        .or(() -> names.findShared("java:comp/DefaultManagedExecutorService")
                                .flatMap(bound -> cast(bound, ExecutorService.class))),
                mailSession(names));
    }

    private static Optional<MailSession> mailSession(JndiEntries names) {
        return ContextClassLoader.call(
                ServerMailLoader.over(ContainerResources.class.getClassLoader()),
                () -> names.find("mail/postern").flatMap(ContainerResources::read));
    }

    private static Optional<MailSession> read(Bound bound) {
        try {
            MailSession session = ServerMailSessionReader.read(bound.value());
            LOG.log(System.Logger.Level.INFO, "{0} is used", bound.name());
            return Optional.of(session);
        } catch (ReflectiveOperationException | RuntimeException unfit) {
            logWrongType(bound, "mail session, whose port is a number");
            return Optional.empty();
        }
    }

    private static <T> Optional<T> cast(Bound bound, Class<T> type) {
        if (!type.isInstance(bound.value())) {
            logWrongType(bound, type.getName());
            return Optional.empty();
        }
        LOG.log(System.Logger.Level.INFO, "{0} is used", bound.name());
        return Optional.of(type.cast(bound.value()));
    }

    private static void logWrongType(Bound bound, String wanted) {
        LOG.log(
                System.Logger.Level.WARNING,
                "{0} is bound to a {1} and is not used; a {2} is wanted",
                bound.name(),
                bound.value().getClass().getName(),
                wanted);
    }

    /**
     * A class loader that hides the web application's own Jakarta Mail. A server that makes a mail session looks up the
     * parts of its Jakarta Mail by the thread's class loader. It would find ours, which are other classes with the same
     * names. This loader is a child of the web application's, since servers recognise the calling application by that.
     */
    static final class ServerMailLoader extends ClassLoader {

        private static final List<String> MAIL = List.of("jakarta.mail.", "jakarta.activation.", "org.eclipse.angus.");
        private static final List<String> SERVICES =
                MAIL.stream().map(prefix -> "META-INF/services/" + prefix).toList();

        private final ClassLoader server;

        private ServerMailLoader(ClassLoader application, ClassLoader server) {
            super(application);
            this.server = server;
        }

        /** The loader for an {@code application}; {@code application} itself if it has no parent. */
        static ClassLoader over(ClassLoader application) {
            ClassLoader server = application.getParent();
            return server == null ? application : new ServerMailLoader(application, server);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            return MAIL.stream().anyMatch(name::startsWith) ? server.loadClass(name) : super.loadClass(name, resolve);
        }

        @Override
        public Enumeration<URL> getResources(String name) throws IOException {
            return SERVICES.stream().anyMatch(name::startsWith) ? server.getResources(name) : super.getResources(name);
        }
    }
}
