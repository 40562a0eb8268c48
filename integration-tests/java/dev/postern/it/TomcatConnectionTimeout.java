package dev.postern.it;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import org.junit.jupiter.api.Assumptions;

/** A change of Tomcat's time-out for the next byte that lasts until it is closed. Other servers skip the test. */
final class TomcatConnectionTimeout implements AutoCloseable {

    private static final String SETTING = "connectionTimeout";

    private final MBeanServerConnection server;
    private final ObjectName connector;
    private final Object usual;

    private TomcatConnectionTimeout(MBeanServerConnection server) throws IOException, JMException {
        this.server = server;
        Set<ObjectName> connectors = server.queryNames(new ObjectName("*:type=ProtocolHandler,*"), null);
        Assumptions.assumeFalse(connectors.isEmpty(), "this server is not a Tomcat that shows its connectors");
        this.connector = connectors.iterator().next();
        this.usual = server.getAttribute(connector, SETTING);
    }

    static TomcatConnectionTimeout of(DeploymentHost host) throws IOException, JMException {
        return new TomcatConnectionTimeout(host.beans());
    }

    void setTimeout(Duration patience) throws IOException, JMException {
        set((int) patience.toMillis());
    }

    @Override
    public void close() throws IOException, JMException {
        set(usual);
    }

    private void set(Object millis) throws IOException, JMException {
        server.setAttribute(connector, new Attribute(SETTING, millis));
    }
}
