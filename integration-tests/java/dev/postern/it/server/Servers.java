package dev.postern.it.server;

import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jboss.arquillian.container.spi.client.container.DeployableContainer;
import org.jboss.arquillian.core.spi.LoadableExtension;

/**
 * A registry of the servers by their names in {@code arquillian.launch}. Any other name is of an embedded server, of
 * another adapter.
 */
public final class Servers implements LoadableExtension {

    private static final Map<String, Supplier<Server>> BY_NAME = Map.of(
            "tomcat10",
            () -> new SharedServer(new Tomcat("apache-tomcat-10.*")),
            "tomcat11",
            () -> new SharedServer(new Tomcat("apache-tomcat-11.*")),
            "jetty12",
            () -> new SharedServer(new Jetty("jetty-home-12.0.*", "ee10")),
            "jetty121",
            () -> new SharedServer(new Jetty("jetty-home-12.1.*", "ee11")),
            "wildfly",
            () -> new SharedServer(new WildFly()),
            "liberty",
            () -> new SharedServer(new Liberty()),
            "glassfish",
            () -> new SharedServer(new GlassFish()),
            "jar",
            JavaJar::new);

    /** Made by Arquillian. */
    public Servers() {}

    static Optional<Server> launched() {
        return Optional.ofNullable(BY_NAME.get(System.getProperty("arquillian.launch")))
                .map(Supplier::get);
    }

    /** Adds our container where it is wanted: Arquillian refuses to choose among several. */
    @Override
    public void register(ExtensionBuilder builder) {
        if (launched().isPresent()) {
            builder.service(DeployableContainer.class, ProcessContainer.class);
        }
    }
}
