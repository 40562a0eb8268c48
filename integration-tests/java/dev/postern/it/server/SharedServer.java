package dev.postern.it.server;

import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.regex.Pattern;

/** A server from its distribution that is one process for all deployments. */
final class SharedServer implements Server {

    private final Distribution distribution;
    private Base base;
    private ServerProcess process;

    SharedServer(Distribution distribution) {
        this.distribution = distribution;
    }

    @Override
    public void start() throws IOException {
        base = Base.create(distribution.unpacked());
        distribution.prepare(base);
        process = ServerProcess.start(
                base.directory(),
                distribution.command(base),
                distribution.environment(base),
                new ServerLog(base.resolve("console.log"), distribution.logLine()));
        process.awaitThat("the server's start", () -> distribution.isStarted(process));
    }

    @Override
    public URI deploy(Deployment deployment) throws IOException {
        distribution.deploy(base, deployment);
        URI site = URI.create("http://127.0.0.1:" + base.port() + "/" + deployment.name() + "/");
        process.awaitThat(site + " to answer", () -> Liveness.of(site));
        return site;
    }

    @Override
    public void undeploy(Deployment deployment) throws IOException {
        distribution.undeploy(base, deployment);
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
        return distribution.proxyPort(base);
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
