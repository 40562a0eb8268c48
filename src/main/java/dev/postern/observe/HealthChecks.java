package dev.postern.observe;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The health checks that answer a supervisor's two questions: must Postern be restarted (not live), and may it get requests
 * (ready)? A database error, for example, makes Postern not ready, because a restart would not help. If one of Postern's own
 * threads has ended, Postern is not live either. Safe for use by many threads.
 *
 * <p>Anyone may ask, and a check may cost a query. Results are therefore reused for a second, and concurrent callers wait
 * for the same check.
 */
public final class HealthChecks {

    private static final Logger LOG = System.getLogger(HealthChecks.class.getName());

    private static final Duration FRESH = Duration.ofSeconds(1);

    private final List<Component> vital = new CopyOnWriteArrayList<>();
    private final List<Component> needed = new CopyOnWriteArrayList<>();
    private final LongSupplier nanoTime;
    private @Nullable Readiness found;
    private long foundAt;

    /** Creates health checks without components: live and ready. */
    public HealthChecks() {
        this(System::nanoTime);
    }

    /**
     * Creates health checks without components.
     *
     * @param nanoTime as {@link System#nanoTime}
     */
    HealthChecks(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * The health of a Postern that has not started: live, and not ready.
     *
     * @param problems one sentence each, without secrets: what to fix, or what Postern waits for
     */
    public static HealthChecks notStarted(List<String> problems) {
        HealthChecks health = new HealthChecks();
        for (String problem : problems) {
            health.addComponent("start", () -> new HealthCheck.Down(problem));
        }
        return health;
    }

    /** Adds a component that only a restart can repair; while it is down, Postern is neither live nor ready. */
    public HealthChecks addVitalComponent(String part, Supplier<HealthCheck> check) {
        vital.add(new Component(part, check));
        return this;
    }

    /** Adds a component; while it is down, no request can be accepted. */
    public HealthChecks addComponent(String part, Supplier<HealthCheck> check) {
        needed.add(new Component(part, check));
        return this;
    }

    /** Whether Postern can go on without a restart; {@link #ready} names the problem if it can't. */
    public boolean live() {
        return vital.stream().map(HealthChecks::look).noneMatch(finding -> finding.check() instanceof HealthCheck.Down);
    }

    /** The readiness to accept requests, at most a second old. */
    public synchronized Readiness ready() {
        long now = nanoTime.getAsLong();
        if (found == null || now - foundAt >= FRESH.toNanos()) {
            found = Readiness.of(Stream.concat(vital.stream(), needed.stream())
                    .map(HealthChecks::look)
                    .toList());
            foundAt = nanoTime.getAsLong();
        }
        return found;
    }

    private static Readiness.Finding look(Component component) {
        try {
            return new Readiness.Finding(component.name(), component.check().get());
        } catch (RuntimeException fault) {
            // Supervisors ask every few seconds, so the stack trace would flood the log; its text may hold secrets.
            LOG.log(Level.DEBUG, "the check of [" + component.name() + "] failed", fault);
            String kind = fault.getClass().getSimpleName();
            return new Readiness.Finding(
                    component.name(), new HealthCheck.Down("the check itself failed with " + kind));
        }
    }

    private record Component(String name, Supplier<HealthCheck> check) {}
}
