package dev.postern.it.server;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A server's distribution that holds what is particular to this server: how its README in {@code deploy-descriptors/}
 * has an operator run it.
 */
interface Distribution {

    /** What the directory is called that its distribution unpacks to, as a glob. */
    String unpacked();

    /** Fills an instance's directory. */
    void prepare(Base base) throws IOException;

    /** What starts an instance; it stays in the foreground, writes its log to its output and ends on SIGTERM. */
    List<String> command(Base base);

    default Map<String, String> environment(Base base) {
        return Map.of();
    }

    /** How a line of the log begins, with a group {@code level}. */
    Pattern logLine();

    /** Whether the server takes deployments. */
    boolean isStarted(ServerProcess server) throws IOException;

    /** The threads of the executor that {@link Bindings#executor} asks for, or that there is anyway, by their names. */
    Pattern executorThreads();

    /** Where {@link Bindings#PROXY} connects to. */
    default int proxyPort(Base base) {
        return base.port();
    }

    /** The header in which {@link Bindings#PROXY} names the client. */
    default String proxyHeader() {
        return "X-Forwarded-For";
    }

    /** Begins to deploy: puts files in place, or says so to the server. */
    void deploy(Base base, Deployment deployment) throws IOException;

    /** Begins to undeploy. */
    void undeploy(Base base, Deployment deployment) throws IOException;

    /** Whether, after an undeployment, the server has done with it, and not before its listener has returned. */
    boolean isGone(ServerProcess server, Deployment deployment) throws IOException;
}
