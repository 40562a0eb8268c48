package dev.postern.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.ReflectionException;
import javax.management.RuntimeMBeanException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JmxRegistrationTest {

    private static final String ROOT = "dev.postern:type=Postern,context=\"/\"";

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private final AtomicLong unauthorized = new AtomicLong(34);
    private final MetricRegistry metricRegistry = new MetricRegistry()
            .counter("postern_refused_total", "Refused requests", "code", "unauthorized", unauthorized::get)
            .counter("postern_refused_total", "Refused requests", "code", "payload_too_large", () -> 2)
            .counter("postern_throttled_total", "Requests answered 429", () -> 12_000_000_000L)
            .gauge("postern_deliveries", "Deliveries", "state", "pending", () -> 5)
            .gauge("postern_oldest_waiting_seconds", "Age of the oldest action that waits", () -> 1.5);
    private final JmxRegistration view = new JmxRegistration(metricRegistry, "");

    @AfterEach
    void close() {
        view.close();
        metricRegistry.close();
    }

    @Test
    void refusesWhatIsNoAttribute() {
        assertThatThrownBy(() -> read("Tokens"))
                .isInstanceOf(AttributeNotFoundException.class)
                .hasMessageContaining("[Tokens]");
    }

    @Test
    void numbersSeriesThatItSpellsAlike() throws Exception {
        metricRegistry
                .counter("postern_sender_requests_total", "Requests", "sender", "ci1", () -> 1)
                .counter("postern_sender_requests_total", "Requests", "sender", "ci-1", () -> 2)
                .counter("postern_sender_requests_total", "Requests", "sender", "Ci1", () -> 4);

        assertThat(read("SenderRequestsCi1")).isEqualTo(1L);
        assertThat(read("SenderRequestsCi1_2")).isEqualTo(2L);
        assertThat(read("SenderRequestsCi1_3")).isEqualTo(4L);
        assertThat(read("SenderRequests")).isEqualTo(7L);
    }

    @Test
    void letsNobodySetOrInvokeAnything() throws Exception {
        ObjectName name = new ObjectName(ROOT);

        assertThatThrownBy(() -> server.setAttribute(name, new Attribute("Throttled", 0L)))
                .isInstanceOf(AttributeNotFoundException.class);
        assertThat(server.setAttributes(name, new AttributeList(Arrays.asList(new Attribute("Throttled", 0L)))))
                .isEmpty();
        assertThatThrownBy(() -> server.invoke(name, "gc", new Object[0], new String[0]))
                .isInstanceOf(ReflectionException.class);
        assertThat(read("Throttled")).isEqualTo(12_000_000_000L);
    }

    @Test
    void leavesOutWhatCannotBeReadWhenSeveralAreAskedFor() throws Exception {
        metricRegistry.gauge("postern_running", "Running turns", () -> {
            throw new IllegalStateException("the database is away");
        });

        assertThatThrownBy(() -> read("Running")).isInstanceOf(RuntimeMBeanException.class);
        AttributeList several =
                server.getAttributes(new ObjectName(ROOT), new String[] {"Running", "Tokens", "Throttled"});
        assertThat(several.asList()).containsExactly(new Attribute("Throttled", 12_000_000_000L));
    }

    @Test
    void showsEachMetricAsAttributeAndSumOfEachCounter() throws Exception {
        assertThat(server.getMBeanInfo(new ObjectName(ROOT)).getAttributes())
                .extracting(MBeanAttributeInfo::getName)
                .containsExactly(
                        "Refused",
                        "RefusedUnauthorized",
                        "RefusedPayloadTooLarge",
                        "Throttled",
                        "DeliveriesPending",
                        "OldestWaitingSeconds");
        unauthorized.set(40);
        assertThat(read("Refused")).isEqualTo(42L);
        assertThat(read("RefusedUnauthorized")).isEqualTo(40L);
        assertThat(read("RefusedPayloadTooLarge")).isEqualTo(2L);
        assertThat(read("DeliveriesPending")).isEqualTo(5.0);
        assertThat(read("OldestWaitingSeconds")).isEqualTo(1.5);
    }

    @Test
    void describesItsAttributesAsTheyAre() throws Exception {
        for (MBeanAttributeInfo attribute :
                server.getMBeanInfo(new ObjectName(ROOT)).getAttributes()) {
            assertThat(read(attribute.getName()).getClass().getName()).isEqualTo(attribute.getType());
            assertThat(attribute.isReadable()).isTrue();
            assertThat(attribute.isWritable()).isFalse();
            assertThat(attribute.getDescription()).isNotBlank();
        }
    }

    @Test
    void standsBesideAnotherContextAndAnotherVersionOfItsOwn() {
        try (JmxRegistration other = new JmxRegistration(metricRegistry, "/a,b=\"c\"*");
                JmxRegistration younger = new JmxRegistration(metricRegistry, "")) {
            assertThat(registered())
                    .containsExactlyInAnyOrder(
                            ROOT, ROOT + ",instance=2", "dev.postern:type=Postern,context=\"/a,b=\\\"c\\\"\\*\"");
            assertThat(other).isNotSameAs(younger);
        }
        assertThat(registered()).containsExactly(ROOT);
    }

    @Test
    void leavesTheYoungerVersionWhenTheOlderOneGoes() {
        JmxRegistration younger = new JmxRegistration(metricRegistry, "");
        view.close();

        assertThat(registered()).containsExactly(ROOT + ",instance=2");

        younger.close();
        assertThat(registered()).isEmpty();
    }

    @Test
    void canBeClosedTwice() {
        view.close();
        view.close();

        assertThat(registered()).isEmpty();
    }

    private Object read(String attribute) throws Exception {
        return server.getAttribute(new ObjectName(ROOT), attribute);
    }

    private Set<String> registered() {
        Set<String> names = new HashSet<>();
        server.queryNames(null, null).stream()
                .filter(name -> name.getDomain().equals("dev.postern"))
                .forEach(name -> names.add(name.toString()));
        return names;
    }
}
