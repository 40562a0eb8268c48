package dev.postern.it.server;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.management.MBeanServerConnection;

/** The server that the tests of this JVM run on if it is a process of its own. There is one at a time. */
public final class RunningServer {

    private static RunningServer current;

    private final Server server;
    private final Map<String, Deployment> deployments = new LinkedHashMap<>();
    private final Map<String, URI> sites = new LinkedHashMap<>();
    private final Map<String, ServerBindings> wanted = new LinkedHashMap<>();

    private RunningServer(Server server) {
        this.server = server;
    }

    /** Empty where the server is embedded in this JVM. */
    public static Optional<RunningServer> current() {
        return Optional.ofNullable(current);
    }

    static RunningServer start(Server server) throws IOException {
        current = new RunningServer(server);
        server.start();
        return current;
    }

    /** Whether one process serves several deployments, and is there before and after them. */
    public boolean isShared() {
        return server.isShared();
    }

    /** The threads of the executor that the server lends where {@link ServerBindings} say so; empty where it has none to lend. */
    public Optional<Pattern> executorThreads() {
        return server.executorThreads();
    }

    /** The port that {@link ServerBindings#PROXY} connects to. */
    public int proxyPort() {
        return server.proxyPort();
    }

    /** The header in which {@link ServerBindings#PROXY} names the client. */
    public String proxyHeader() {
        return server.proxyHeader();
    }

    /** What is to be bound for {@code deployment} whenever it is deployed from now on. */
    public void bind(String deployment, ServerBindings bindings) {
        wanted.put(deployment, bindings);
    }

    /** The address of {@code deployment}, with a slash at its end. */
    public URI site(String deployment) {
        return Optional.ofNullable(sites.get(deployment))
                .orElseThrow(() -> new IllegalStateException(deployment + " is not deployed"));
    }

    public ServerLog log(String deployment) {
        return server.process(deployment).log();
    }

    public MBeanServerConnection beans(String deployment) throws IOException {
        return server.process(deployment).beans();
    }

    /** The process that {@code deployment} runs in. */
    public long pid(String deployment) {
        return server.process(deployment).pid();
    }

    URI deploy(String name, Path war, Path home) throws IOException {
        Deployment deployment = new Deployment(name, war, home, wanted.getOrDefault(name, ServerBindings.NONE));
        deployments.put(name, deployment);
        URI site = server.deploy(deployment);
        sites.put(name, site);
        return site;
    }

    void undeploy(String name) throws IOException {
        sites.remove(name);
        Deployment deployment = deployments.remove(name);
        if (deployment != null) {
            server.undeploy(deployment);
        }
    }

    void stop() throws IOException {
        server.stop();
    }
}
