package dev.postern.it.server;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import org.jboss.arquillian.container.spi.client.container.ContainerConfiguration;
import org.jboss.arquillian.container.spi.client.container.DeployableContainer;
import org.jboss.arquillian.container.spi.client.container.DeploymentException;
import org.jboss.arquillian.container.spi.client.container.LifecycleException;
import org.jboss.arquillian.container.spi.client.protocol.ProtocolDescription;
import org.jboss.arquillian.container.spi.client.protocol.metadata.HTTPContext;
import org.jboss.arquillian.container.spi.client.protocol.metadata.ProtocolMetaData;
import org.jboss.arquillian.container.spi.client.protocol.metadata.Servlet;
import org.jboss.shrinkwrap.api.Archive;

/**
 * An Arquillian container for the server that {@code arquillian.launch} names. It always deploys {@code it.war}, under
 * the archive's name, with the home that the system property {@code postern.home} names at that moment.
 */
public final class ProcessContainer implements DeployableContainer<ProcessContainer.Configuration> {

    private RunningServer server;

    /** Made by Arquillian. */
    public ProcessContainer() {}

    /** An empty configuration: the system properties {@code it.*} hold all settings. */
    public static final class Configuration implements ContainerConfiguration {

        /** Made by Arquillian. */
        public Configuration() {}

        @Override
        public void validate() {}
    }

    @Override
    public Class<Configuration> getConfigurationClass() {
        return Configuration.class;
    }

    @Override
    public void setup(Configuration configuration) {}

    @Override
    public ProtocolDescription getDefaultProtocol() {
        return new ProtocolDescription("Local");
    }

    @Override
    public void start() throws LifecycleException {
        try {
            server = RunningServer.start(Servers.launched().orElseThrow());
        } catch (IOException e) {
            throw new LifecycleException("the server can't be started", e);
        }
    }

    @Override
    public void stop() throws LifecycleException {
        try {
            server.stop();
        } catch (IOException e) {
            throw new LifecycleException("the server can't be stopped", e);
        }
    }

    @Override
    public ProtocolMetaData deploy(Archive<?> archive) throws DeploymentException {
        try {
            URI site = server.deploy(
                    name(archive),
                    Path.of(System.getProperty("it.war")),
                    Path.of(System.getProperty("postern.home")).toAbsolutePath());
            String context = site.getPath().replaceFirst("/$", "");
            return new ProtocolMetaData()
                    .addContext(new HTTPContext(site.getHost(), site.getPort()).add(new Servlet("postern", context)));
        } catch (IOException | RuntimeException e) {
            throw new DeploymentException(archive.getName() + " can't be deployed", e);
        }
    }

    @Override
    public void undeploy(Archive<?> archive) throws DeploymentException {
        try {
            server.undeploy(name(archive));
        } catch (IOException | RuntimeException e) {
            throw new DeploymentException(archive.getName() + " can't be undeployed", e);
        }
    }

    private static String name(Archive<?> archive) {
        return archive.getName().replaceFirst("\\.war$", "");
    }
}
