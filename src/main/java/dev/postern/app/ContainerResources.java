package dev.postern.app;

import dev.postern.config.JndiEntries;
import dev.postern.config.JndiLookup.Bound;
import dev.postern.config.JndiLookup.Entry;
import dev.postern.config.JndiLookup.Unresolved;
import dev.postern.mail.MailSession;
import dev.postern.net.ContextClassLoader;
import dev.postern.observe.StartFailureReport;
import java.io.IOException;
import java.net.URL;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import javax.sql.DataSource;

/**
 * The resources that the server has bound in JNDI for this web application. They are looked up once, in the listener's
 * thread. A missing name is normal. An object that can't be used was bound on purpose: it is logged, and of the database
 * it ends the start, since SQLite in the home would be another one.
 *
 * @param database the DataSource {@code jdbc/postern}
 * @param executor {@code concurrent/postern}, else {@code java:comp/DefaultManagedExecutorService}
 * @param mail the mail session {@code mail/postern}
 */
record ContainerResources(
        Optional<DataSource> database, Optional<ExecutorService> executor, Optional<MailSession> mail) {

    private static final System.Logger LOG = System.getLogger(ContainerResources.class.getName());

    /**
     * Looks the resources up.
     *
     * @throws StartException if a database is bound that can't be used
     */
    static ContainerResources lookUp() throws StartException {
        JndiEntries names = JndiEntries.ofThread();
        return new ContainerResources(
                database(names.find("jdbc/postern")),
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

    private static Optional<DataSource> database(Optional<Entry> entry) throws StartException {
        if (entry.isEmpty() || (entry.get() instanceof Bound bound && bound.value() instanceof DataSource)) {
            return entry.flatMap(bound -> cast(bound, DataSource.class));
        }
        String name = entry.get().name();
        throw new StartException(StartFailureReport.ofSettings(List.of(
                entry.get() instanceof Unresolved unresolved
                        ? name + " " + unresolved.wrong() + "; " + unresolved.instead()
                        : name + " is bound to no javax.sql.DataSource; bind one there, or nothing")));
    }

    private static Optional<MailSession> read(Entry entry) {
        if (!(entry instanceof Bound bound)) {
            logUnusable(entry, "mail session, whose port is a number");
            return Optional.empty();
        }
        try {
            MailSession session = ServerMailSessionReader.read(bound.value());
            LOG.log(System.Logger.Level.INFO, "{0} is used", bound.name());
            return Optional.of(session);
        } catch (ReflectiveOperationException | RuntimeException unfit) {
            logUnusable(bound, "mail session, whose port is a number");
            return Optional.empty();
        }
    }

    private static <T> Optional<T> cast(Entry entry, Class<T> type) {
        if (!(entry instanceof Bound bound) || !type.isInstance(bound.value())) {
            logUnusable(entry, type.getName());
            return Optional.empty();
        }
        LOG.log(System.Logger.Level.INFO, "{0} is used", bound.name());
        return Optional.of(type.cast(bound.value()));
    }

    private static void logUnusable(Entry entry, String wanted) {
        String found = entry instanceof Unresolved unresolved
                ? unresolved.wrong()
                : "is bound to a " + ((Bound) entry).value().getClass().getName();
        LOG.log(System.Logger.Level.WARNING, "{0} {1} and is not used; a {2} is wanted", entry.name(), found, wanted);
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
