package dev.postern.app.launch;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.VMOption;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The options of the JVM by which a Postern without load returns memory to the system. They can be set while it runs. An option
 * of the command line stays as it is.
 *
 * @see <a href="https://openjdk.org/jeps/346">JEP 346: Promptly return unused committed memory from G1</a>
 */
final class HeapOptions {

    /** The least and most free heap after a collection, in percent, and the milliseconds without one until G1 looks for garbage. */
    private static final Map<String, String> OPTIONS = new LinkedHashMap<>();

    static {
        OPTIONS.put("MinHeapFreeRatio", "10"); // first: it may not be more than the next one
        OPTIONS.put("MaxHeapFreeRatio", "30");
        OPTIONS.put("G1PeriodicGCInterval", "60000");
    }

    private HeapOptions() {}

    /** Sets the options, as far as this JVM has them, and returns what the start has taken: a collection of some 40 ms. */
    static void returnMemory() {
        set();
        System.gc();
    }

    private static void set() {
        @Nullable HotSpotDiagnosticMXBean jvm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        if (jvm == null) {
            return;
        }
        OPTIONS.forEach((name, value) -> {
            try {
                VMOption option = jvm.getVMOption(name);
                if (option.isWriteable() && option.getOrigin() == VMOption.Origin.DEFAULT) {
                    jvm.setVMOption(name, value);
                }
            } catch (IllegalArgumentException unknownOrTooSmall) {
                System.getLogger(HeapOptions.class.getName()).log(Level.DEBUG, "-XX:" + name, unknownOrTooSmall);
            }
        });
    }
}
