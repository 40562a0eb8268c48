package dev.postern.app;

import java.io.IOException;
import java.net.URL;
import java.util.Enumeration;
import java.util.List;

/**
 * The web application's class loader, without its Jakarta Mail: a server that makes a mail session looks for the parts of its
 * own Jakarta Mail by the thread's class loader, and would find ours, which are of other classes of the same names. It is
 * below the web application's, since servers know by that which application asks.
 */
final class ServerMailLoader extends ClassLoader {

    private static final List<String> MAIL = List.of("jakarta.mail.", "jakarta.activation.", "org.eclipse.angus.");
    private static final List<String> SERVICES =
            MAIL.stream().map(prefix -> "META-INF/services/" + prefix).toList();

    private final ClassLoader server;

    private ServerMailLoader(ClassLoader application, ClassLoader server) {
        super(application);
        this.server = server;
    }

    /** The loader for an {@code application}; itself where it has nothing above it. */
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
