package dev.postern.it;

import dev.postern.it.server.RunningServer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import javax.management.MBeanServerConnection;

/** What a deployment runs in, as its operator sees it: this JVM where the server is embedded, else the server's process. */
final class Host {

    private final String deployment;

    /** @param deployment the archive's name without its ending */
    Host(String deployment) {
        this.deployment = deployment;
    }

    /** Whether there is one JVM that serves several deployments, and is there before and after them. */
    static boolean isShared() {
        return RunningServer.current().map(RunningServer::isShared).orElse(true);
    }

    /** Whether it is a Tomcat, from wherever. */
    static boolean isTomcat() {
        return System.getProperty("arquillian.launch").matches("tomcat.*|jar");
    }

    /** The address, with a slash at its end. */
    URI site() {
        return RunningServer.current()
                .map(server -> server.site(deployment))
                .orElseGet(
                        () -> URI.create("http://127.0.0.1:" + System.getProperty("it.port") + "/" + deployment + "/"));
    }

    MBeanServerConnection beans() throws IOException {
        return RunningServer.current().isPresent()
                ? RunningServer.current().get().beans(deployment)
                : ManagementFactory.getPlatformMBeanServer();
    }

    /** The names of the threads that live. */
    List<String> threads() throws IOException {
        ThreadMXBean threads = ManagementFactory.newPlatformMXBeanProxy(
                beans(), ManagementFactory.THREAD_MXBEAN_NAME, ThreadMXBean.class);
        return Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
                .filter(Objects::nonNull)
                .map(ThreadInfo::getThreadName)
                .toList();
    }

    /** Begins to read the log. */
    LogBook log() {
        return RunningServer.current()
                .<LogBook>map(server -> new ServerLogBook(server.log(deployment)))
                .orElseGet(OwnLogBook::new);
    }
}
