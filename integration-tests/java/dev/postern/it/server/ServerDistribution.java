package dev.postern.it.server;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A server's distribution that holds what is particular to this server: how its README in {@code deploy-descriptors/}
 * has an operator run it.
 */
interface ServerDistribution {

    /** What the directory is called that its distribution unpacks to, as a glob. */
    String unpacked();

    /** Fills an instance's directory. */
    void prepare(InstanceDirectory instanceDirectory) throws IOException;

    /** What starts an instance; it stays in the foreground, writes its log to its output and ends on SIGTERM. */
    List<String> command(InstanceDirectory instanceDirectory);

    default Map<String, String> environment(InstanceDirectory instanceDirectory) {
        return Map.of();
    }

    /** How a line of the log begins, with a group {@code level}. */
    Pattern logLine();

    /** Whether the server takes deployments. */
    boolean isStarted(ServerProcess server) throws IOException;

    /** The threads of the executor that {@link ServerBindings#executor} asks for, or that there is anyway, by their names. */
    Pattern executorThreads();

    /** Where {@link ServerBindings#PROXY} connects to. */
    default int proxyPort(InstanceDirectory instanceDirectory) {
        return instanceDirectory.port();
    }

    /** The header in which {@link ServerBindings#PROXY} names the client. */
    default String proxyHeader() {
        return "X-Forwarded-For";
    }

    /** Begins to deploy: puts files in place, or says so to the server. */
    void deploy(InstanceDirectory instanceDirectory, Deployment deployment) throws IOException;

    /** Begins to undeploy. */
    void undeploy(InstanceDirectory instanceDirectory, Deployment deployment) throws IOException;

    /** Whether, after an undeployment, the server has done with it, and not before its listener has returned. */
    boolean isGone(ServerProcess server, Deployment deployment) throws IOException;
}
