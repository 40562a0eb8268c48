package dev.postern.http;

import dev.postern.net.ContextClassLoader;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.security.PrivilegedAction;
import javax.security.auth.Subject;

/**
 * An asynchronous context that passes no class loader of this application to the threads that its server makes.
 *
 * <p>Until Java 24, a thread keeps for its life the protection domains of all code on the stack on which it is made. It
 * also keeps the domains that this stack's thread has inherited, and the class loaders of all of them. Tomcat adds a
 * thread to its pool on the stack of the caller, and each thread of the pool makes its successor. So {@link #start},
 * {@link #dispatch} and {@link #complete} call the server under an empty access control context. No frame of this
 * application may follow, so they use a method handle instead of a lambda. A thread also inherits the context class
 * loader, and WildFly leaves it so. Meanwhile it is the server's.
 */
final class LeakFreeAsyncContext implements AsyncContext {

    private static final MethodHandle COMPLETE = find("complete");
    private static final MethodHandle START = find("start", Runnable.class);
    private static final MethodHandle DISPATCH = find("dispatch");
    private static final MethodHandle DISPATCH_TO = find("dispatch", String.class);
    private static final MethodHandle DISPATCH_INTO = find("dispatch", ServletContext.class, String.class);

    private final AsyncContext server;

    /** @param server the context as the server made it */
    LeakFreeAsyncContext(AsyncContext server) {
        this.server = server;
    }

    @Override
    public void complete() {
        call(COMPLETE);
    }

    @Override
    public void start(Runnable task) {
        call(START, task);
    }

    @Override
    public void dispatch() {
        call(DISPATCH);
    }

    @Override
    public void dispatch(String path) {
        call(DISPATCH_TO, path);
    }

    @Override
    public void dispatch(ServletContext context, String path) {
        call(DISPATCH_INTO, context, path);
    }

    @Override
    public ServletRequest getRequest() {
        return server.getRequest();
    }

    @Override
    public ServletResponse getResponse() {
        return server.getResponse();
    }

    @Override
    public boolean hasOriginalRequestAndResponse() {
        return server.hasOriginalRequestAndResponse();
    }

    @Override
    public void addListener(AsyncListener listener) {
        server.addListener(listener);
    }

    @Override
    public void addListener(AsyncListener listener, ServletRequest request, ServletResponse response) {
        server.addListener(listener, request, response);
    }

    @Override
    public <T extends AsyncListener> T createListener(Class<T> type) throws ServletException {
        return server.createListener(type);
    }

    @Override
    public void setTimeout(long millis) {
        server.setTimeout(millis);
    }

    @Override
    public long getTimeout() {
        return server.getTimeout();
    }

    @SuppressWarnings({"removal", "unchecked"}) // it returns nothing; the need for it ends before it is removed
    private void call(MethodHandle method, Object... arguments) {
        MethodHandle call = MethodHandles.insertArguments(method.bindTo(server), 0, arguments);
        PrivilegedAction<?> action = MethodHandleProxies.asInterfaceInstance(PrivilegedAction.class, call);
        ContextClassLoader.call(server.getClass().getClassLoader(), () -> Subject.doAsPrivileged(null, action, null));
    }

    private static MethodHandle find(String method, Class<?>... parameters) {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(AsyncContext.class, method, MethodType.methodType(void.class, parameters));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("the servlet API has no " + method, e);
        }
    }
}
