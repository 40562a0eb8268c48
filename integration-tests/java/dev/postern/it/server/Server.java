package dev.postern.it.server;

import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.regex.Pattern;

/** A server that runs deployments. */
interface Server {

    /** Starts it; returns when it takes deployments. */
    void start() throws IOException;

    /** Returns the web application's address, with a slash at its end, when it answers there. */
    URI deploy(Deployment deployment) throws IOException;

    /** Returns when the web application is gone. */
    void undeploy(Deployment deployment) throws IOException;

    void stop() throws IOException;

    /** The process that a deployment runs in. */
    ServerProcess process(String deployment);

    /** The threads of the executor that a server can lend, by their names; empty where it has none to lend. */
    Optional<Pattern> executorThreads();

    /** Where {@link ServerBindings#PROXY} connects to. */
    int proxyPort();

    /** The header in which {@link ServerBindings#PROXY} names the client. */
    String proxyHeader();

    /** Whether one process serves several deployments, and is there before and after them. */
    boolean isShared();
}
