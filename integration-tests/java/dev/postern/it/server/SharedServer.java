package dev.postern.it.server;

import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.regex.Pattern;

/** A server from its distribution that is one process for all deployments. */
final class SharedServer implements Server {

    private final ServerDistribution distribution;
    private InstanceDirectory instanceDirectory;
    private ServerProcess process;

    SharedServer(ServerDistribution distribution) {
        this.distribution = distribution;
    }

    @Override
    public void start() throws IOException {
        instanceDirectory = InstanceDirectory.create(distribution.unpacked());
        distribution.prepare(instanceDirectory);
        process = ServerProcess.start(
                instanceDirectory.directory(),
                distribution.command(instanceDirectory),
                distribution.environment(instanceDirectory),
                new ServerLog(instanceDirectory.resolve("console.log"), distribution.logLine()));
        process.awaitThat("the server's start", () -> distribution.isStarted(process));
    }

    @Override
    public URI deploy(Deployment deployment) throws IOException {
        distribution.deploy(instanceDirectory, deployment);
        URI site = URI.create("http://127.0.0.1:" + instanceDirectory.port() + "/" + deployment.name() + "/");
        process.awaitThat(site + " to answer", () -> LivenessProbe.of(site));
        return site;
    }

    @Override
    public void undeploy(Deployment deployment) throws IOException {
        distribution.undeploy(instanceDirectory, deployment);
        process.awaitThat(deployment.name() + " to be undeployed", () -> distribution.isGone(process, deployment));
    }

    @Override
    public void stop() throws IOException {
        process.stop();
    }

    @Override
    public ServerProcess process(String deployment) {
        return process;
    }

    @Override
    public Optional<Pattern> executorThreads() {
        return Optional.of(distribution.executorThreads());
    }

    @Override
    public int proxyPort() {
        return distribution.proxyPort(instanceDirectory);
    }

    @Override
    public String proxyHeader() {
        return distribution.proxyHeader();
    }

    @Override
    public boolean isShared() {
        return true;
    }
}
