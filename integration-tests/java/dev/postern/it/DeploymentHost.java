package dev.postern.it;

import dev.postern.it.server.RunningServer;
import dev.postern.it.server.ServerBindings;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.management.MBeanServerConnection;
import org.junit.jupiter.api.Assumptions;

/**
 * The process that runs a deployment, as its operator sees it: this JVM if the server is embedded, else the server's
 * process.
 */
final class DeploymentHost {

    private final String deployment;

    /** @param deployment the archive's name without its ending */
    DeploymentHost(String deployment) {
        this.deployment = deployment;
    }

    /** Whether there is one JVM that serves several deployments, and is there before and after them. */
    static boolean isShared() {
        return RunningServer.current().map(RunningServer::isShared).orElse(true);
    }

    /** Whether it is a Tomcat, from wherever. */
    static boolean isTomcat() {
        return server().matches("tomcat.*|jar");
    }

    /** Whether the server answers {@code Expect: 100-continue} before it calls any web application. */
    static boolean sendsContinue() {
        return server().matches("tomcat.*|liberty|glassfish");
    }

    /** What the build calls the server. */
    static String server() {
        return System.getProperty("arquillian.launch");
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
        return dump().map(ThreadInfo::getThreadName).toList();
    }

    /** The names of the threads that are in a method of each of these packages. */
    List<String> threadsIn(String... packages) throws IOException {
        return dump().filter(thread -> Arrays.stream(packages).allMatch(name -> isIn(thread, name)))
                .map(ThreadInfo::getThreadName)
                .toList();
    }

    private Stream<ThreadInfo> dump() throws IOException {
        ThreadMXBean threads = ManagementFactory.newPlatformMXBeanProxy(
                beans(), ManagementFactory.THREAD_MXBEAN_NAME, ThreadMXBean.class);
        return Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds(), Integer.MAX_VALUE))
                .filter(Objects::nonNull);
    }

    private static boolean isIn(ThreadInfo thread, String name) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getClassName().startsWith(name + "."));
    }

    /** Skips the test where the server binds nothing. */
    static void assumeThatItBinds() {
        Assumptions.assumeTrue(
                RunningServer.current().filter(RunningServer::isShared).isPresent(),
                "an embedded server, and java -jar, bind nothing");
    }

    /** Has {@code bindings} made when this is deployed next. */
    void bind(ServerBindings bindings) {
        assumeThatItBinds();
        RunningServer.current().orElseThrow().bind(deployment, bindings);
    }

    /** The threads that a server lends, by their names; where it lends none, Postern's own. */
    Pattern turnThreads() {
        return RunningServer.current()
                .flatMap(RunningServer::executorThreads)
                .orElseGet(() -> Pattern.compile("postern-.+-turn-\\d+"));
    }

    /** Connects to where the server's proxy does, from its address. */
    RawConnection connectFromProxy() throws IOException {
        int port = RunningServer.current().orElseThrow().proxyPort();
        return RawConnection.to(URI.create("http://127.0.0.1:" + port), ServerBindings.PROXY);
    }

    /** The header in which the server's proxy names {@code client}. */
    String proxied(String client) {
        return RunningServer.current().orElseThrow().proxyHeader() + ": " + client;
    }

    /** Begins to read the log. */
    LogCapture log() {
        return RunningServer.current()
                .<LogCapture>map(server -> new ServerLogCapture(server.log(deployment)))
                .orElseGet(JvmLogCapture::new);
    }
}
