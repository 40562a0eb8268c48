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
 * The registration of the metrics as one MBean, {@code dev.postern:type=Postern,context="/"}, until it is closed.
 *
 * <p>While a server runs two versions of one context side by side (Tomcat's parallel deployment), the older one keeps that
 * name and the name of the younger one ends in {@code instance=2}.
 */
public final class JmxRegistration implements AutoCloseable {

    private static final Logger LOG = System.getLogger(JmxRegistration.class.getName());
    private static final int MAX_INSTANCES = 100;

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private @Nullable ObjectName name;

    /**
     * Registers {@code metricRegistry} with the platform's MBean server. If the server rejects it, Postern runs without it
     * and logs a warning.
     *
     * @param contextPath the web application's context path, empty for the root
     */
    public JmxRegistration(MetricRegistry metricRegistry, String contextPath) {
        try {
            name = register(new MetricsMBean(metricRegistry), contextPath);
        } catch (JMException refusal) {
            LOG.log(Level.WARNING, "the metrics are not available through JMX", refusal);
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

    /** Unregisters the MBean. */
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
