package dev.postern.console;

import dev.postern.acceptance.Intake;
import dev.postern.dispatch.Dispatcher;
import dev.postern.observe.Check;
import dev.postern.observe.Health;
import dev.postern.observe.LastHour;
import dev.postern.observe.Readiness;
import dev.postern.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether all is well, and what needs a person. */
final class OverviewView implements View {

    private static final Duration LONG = Duration.ofMinutes(5);

    private final Health health;
    private final Console.Traffic traffic;
    private final Intake intake;
    private final Dispatcher dispatcher;

    OverviewView(Health health, Console.Traffic traffic, Intake intake, Dispatcher dispatcher) {
        this.health = health;
        this.traffic = traffic;
        this.intake = intake;
        this.dispatcher = dispatcher;
    }

    /**
     * What is shown.
     *
     * @param concerns what needs a person, a sentence each
     * @param waiting accepted actions that are not done
     */
    record Shown(
            List<String> concerns,
            List<Part> parts,
            List<LastHour.Minute> accepted,
            List<LastHour.Minute> refused,
            List<LastHour.Minute> throttled,
            long most,
            long waiting,
            int running,
            Duration oldestRun,
            Duration oldestEvent,
            long deliveriesPending) {}

    /**
     * One of the parts that make Postern ready.
     *
     * @param state {@code up}, {@code impaired} or {@code down}
     */
    record Part(String name, String state, String words) {}

    @Override
    public String template() {
        return "overview";
    }

    @Override
    public Optional<Shown> show(Question question) throws StoreException {
        Readiness readiness = health.ready();
        List<Part> parts = readiness.findings().stream().map(OverviewView::part).toList();
        List<LastHour.Minute> accepted = traffic.accepted().minutes();
        List<LastHour.Minute> refused = traffic.refused().minutes();
        List<LastHour.Minute> throttled = traffic.throttled().minutes();
        Duration oldestRun = intake.oldestWaiting();
        Duration oldestEvent = intake.oldestWaitingEvent();
        List<String> concerns = new ArrayList<>();
        parts.stream()
                .filter(part -> !part.state().equals("up"))
                .forEach(part -> concerns.add(part.name() + ": " + part.words()));
        if (oldestRun.compareTo(LONG) > 0) {
            concerns.add("A run has waited for its turn for " + oldestRun.toMinutes() + " minutes.");
        }
        return Optional.of(new Shown(
                concerns,
                parts,
                accepted,
                refused,
                throttled,
                Math.max(1, Math.max(most(accepted), Math.max(most(refused), most(throttled)))),
                intake.pending(),
                dispatcher.figures().running(),
                oldestRun,
                oldestEvent,
                dispatcher.deliveriesPending()));
    }

    private static long most(List<LastHour.Minute> minutes) {
        return minutes.stream().mapToLong(LastHour.Minute::count).max().orElse(0);
    }

    private static Part part(Readiness.Finding finding) {
        if (finding.check() instanceof Check.Up up) {
            return new Part(finding.part(), "up", up.how());
        }
        return finding.check() instanceof Check.Impaired impaired
                ? new Part(finding.part(), "impaired", impaired.reason())
                : new Part(finding.part(), "down", ((Check.Down) finding.check()).reason());
    }
}
