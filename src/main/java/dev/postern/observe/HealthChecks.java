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
 * Answers the two questions of whoever supervises Postern: must it be restarted (not live), and may it be given requests
 * (ready)? What the database refuses, say, makes it not ready, since a restart would mend nothing; a thread of ours that
 * has ended makes it not live either. Safe for use by many threads.
 *
 * <p>Anybody may ask, and a look may cost a query: what was found is the answer for a second, and who asks while somebody
 * looks waits for what is found.
 */
public final class HealthChecks {

    private static final Logger LOG = System.getLogger(HealthChecks.class.getName());

    private static final Duration FRESH = Duration.ofSeconds(1);

    private final List<Part> vital = new CopyOnWriteArrayList<>();
    private final List<Part> needed = new CopyOnWriteArrayList<>();
    private final LongSupplier nanoTime;
    private @Nullable Readiness found;
    private long foundAt;

    /** Health with nothing to look at yet: live and ready. */
    public HealthChecks() {
        this(System::nanoTime);
    }

    /**
     * @param nanoTime as {@link System#nanoTime} is
     */
    HealthChecks(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * Health of a Postern that has not started: live, and not ready.
     *
     * @param problems a sentence each, without secrets: what has to be mended, or what is waited for
     */
    public static HealthChecks notStarted(List<String> problems) {
        HealthChecks health = new HealthChecks();
        for (String problem : problems) {
            health.part("start", () -> new HealthCheck.Down(problem));
        }
        return health;
    }

    /** Looks at a part that only a restart can mend; without it Postern is neither live nor ready. */
    public HealthChecks vitalPart(String part, Supplier<HealthCheck> check) {
        vital.add(new Part(part, check));
        return this;
    }

    /** Looks at a part; while it is down, no request can be taken. */
    public HealthChecks part(String part, Supplier<HealthCheck> check) {
        needed.add(new Part(part, check));
        return this;
    }

    /** Whether Postern can go on without a restart; {@link #ready} says what is wrong when it can't. */
    public boolean live() {
        return vital.stream().map(HealthChecks::look).noneMatch(finding -> finding.check() instanceof HealthCheck.Down);
    }

    /** Whether Postern can take requests, or could a second ago. */
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

    private static Readiness.Finding look(Part part) {
        try {
            return new Readiness.Finding(part.name(), part.check().get());
        } catch (RuntimeException fault) {
            // Supervisors ask every few seconds, so that the stack trace isn't for everybody's log; its text may hold
            // secrets.
            LOG.log(Level.DEBUG, "the check of [" + part.name() + "] failed", fault);
            String kind = fault.getClass().getSimpleName();
            return new Readiness.Finding(part.name(), new HealthCheck.Down("the check itself failed with " + kind));
        }
    }

    private record Part(String name, Supplier<HealthCheck> check) {}
}
