import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.Hashtable;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.naming.Context;
import javax.naming.Name;
import javax.naming.RefAddr;
import javax.naming.Reference;
import javax.naming.spi.ObjectFactory;

/**
 * An executor that Tomcat owns, for a {@code <Resource>} in {@code server.xml}. Its attribute {@code maxThreads} says how
 * many threads there are at most; what finds none free is rejected. A thread that has nothing to do ends after 30 s.
 */
public final class ServerExecutor implements ObjectFactory {

    @Override
    public Object getObjectInstance(Object resource, Name name, Context context, Hashtable<?, ?> environment) {
        RefAddr maxThreads = ((Reference) resource).get("maxThreads");
        int most = maxThreads == null ? 16 : Integer.parseInt(maxThreads.getContent().toString());
        AtomicInteger count = new AtomicInteger();
        return new ThreadPoolExecutor(
                0, most, 30, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> thread(task, count.incrementAndGet()));
    }

    /** Holds on to nothing of the web application that happens to ask for it. */
    @SuppressWarnings("removal")
    private static Thread thread(Runnable task, int number) {
        return AccessController.doPrivileged((PrivilegedAction<Thread>) () -> {
            Thread thread = new Thread(null, task, "server-executor-" + number, 0, false);
            thread.setContextClassLoader(ServerExecutor.class.getClassLoader());
            thread.setDaemon(true);
            return thread;
        });
    }
}
