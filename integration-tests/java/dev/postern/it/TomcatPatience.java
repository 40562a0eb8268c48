package dev.postern.it;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Set;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Assumptions;

/** How long embedded Tomcat waits for the next byte, changed for as long as this is open. Other servers skip the test. */
final class TomcatPatience implements AutoCloseable {

    private static final String SETTING = "connectionTimeout";

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private final ObjectName connector;
    private final Object usual;

    private TomcatPatience() throws JMException {
        Set<ObjectName> connectors = server.queryNames(new ObjectName("*:type=ProtocolHandler,*"), null);
        Assumptions.assumeFalse(connectors.isEmpty(), "this server is not Tomcat");
        this.connector = connectors.iterator().next();
        this.usual = server.getAttribute(connector, SETTING);
    }

    static TomcatPatience find() throws JMException {
        return new TomcatPatience();
    }

    void lastFor(Duration patience) throws JMException {
        set((int) patience.toMillis());
    }

    @Override
    public void close() throws JMException {
        set(usual);
    }

    private void set(Object millis) throws JMException {
        server.setAttribute(connector, new Attribute(SETTING, millis));
    }
}
