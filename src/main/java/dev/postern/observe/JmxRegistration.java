package dev.postern.observe;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * The figures as one MBean, {@code dev.postern:type=Postern,context="/"}, for as long as it is not closed.
 *
 * <p>While a server runs two versions of one context side by side (Tomcat's parallel deployment), the older one keeps that
 * name and the younger one's has {@code instance=2} at its end.
 */
public final class JmxRegistration implements AutoCloseable {

    private static final Logger LOG = System.getLogger(JmxRegistration.class.getName());
    private static final int MAX_INSTANCES = 100;

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private @Nullable ObjectName name;

    /**
     * Registers {@code figures} with the platform's MBean server. Where the server won't have it, Postern runs without it and
     * the log says so.
     *
     * @param contextPath the web app's, empty for the root
     */
    public JmxRegistration(MetricRegistry metricRegistry, String contextPath) {
        try {
            name = register(new MetricsMBean(metricRegistry), contextPath);
        } catch (JMException refusal) {
            LOG.log(Level.WARNING, "the figures can't be seen through JMX", refusal);
        }
    }

    private ObjectName register(MetricsMBean bean, String contextPath) throws JMException {
        String context = ObjectName.quote(contextPath.isEmpty() ? "/" : contextPath);
        for (int instance = 1; ; instance++) {
            String suffix = instance == 1 ? "" : ",instance=" + instance;
            try {
                return server.registerMBean(
                                bean, new ObjectName("dev.postern:type=Postern,context=" + context + suffix))
                        .getObjectName();
            } catch (InstanceAlreadyExistsException taken) {
                if (instance == MAX_INSTANCES) {
                    throw taken;
                }
            }
        }
    }

    /** Takes the MBean away again. */
    @Override
    public void close() {
        if (name == null) {
            return;
        }
        try {
            server.unregisterMBean(name);
        } catch (JMException refusal) {
            LOG.log(Level.WARNING, "the MBean [" + name + "] can't be unregistered", refusal);
        }
        name = null;
    }
}
