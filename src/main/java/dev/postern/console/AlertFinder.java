package dev.postern.console;

import dev.postern.console.SystemStatus.Lately;
import dev.postern.console.SystemStatus.Part;
import dev.postern.model.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A finder of problems in a {@link SystemStatus} that an operator should look at. */
final class AlertFinder {

    private static final String DATABASE = "database";

    /** The longest time that a run normally waits for its turn. */
    private static final Duration LONG = Duration.ofMinutes(5);
    /** The free disk space that a database in the home needs to go on for a while. */
    private static final long LITTLE_BYTES = 256L << 20;

    private static final double NEARLY = 0.8;

    private final boolean hooksOn;
    private final @Nullable Duration eventsMayWait;

    /**
     * @param hooksOn {@code hooks.enabled}
     * @param eventsMayWait the longest time that an event waits while heartbeats work as configured; null for no limit
     */
    AlertFinder(boolean hooksOn, @Nullable Duration eventsMayWait) {
        this.hooksOn = hooksOn;
        this.eventsMayWait = eventsMayWait;
    }

    /** The problems that {@code now} shows, the gravest first. */
    List<Alert> of(SystemStatus now) {
        List<Alert> concerns = new ArrayList<>();
        if (!now.answers()) {
            concerns.add(new Alert(
                    "The database does not answer. Senders are told to try again later, and what it would say here is"
                            + " unknown; the log says more.",
                    "settings"));
        }
        now.parts().stream()
                .filter(part -> !part.works() && (now.answers() || !part.name().equals(DATABASE)))
                .forEach(part -> concerns.add(of(part)));
        if (!hooksOn) {
            concerns.add(new Alert("The hooks are off (hooks.enabled is false): nothing can arrive.", "settings"));
        }
        addBacklogAlerts(now, concerns);
        addFailureAlerts(now.providers(), "run has", "runs have", "in the last hour", concerns);
        addFailureAlerts(now.channels(), "delivery has", "deliveries have", "in the last day", concerns);
        now.switchedOff()
                .forEach(script -> concerns.add(new Alert(
                        "The transform [" + script + "] is switched off for a minute, since it was ended too often.",
                        "requests?code=mapping_failed")));
        if (now.lockedOut() > 0) {
            concerns.add(new Alert(
                    counted(now.lockedOut(), "client is", "clients are")
                            + " locked out now, having failed too often to show the right token, signature or password.",
                    "settings#locked"));
        }
        if (now.freeBytes() != null && now.freeBytes() < LITTLE_BYTES) {
            concerns.add(new Alert(
                    "The disk of the home is nearly full: " + SizeText.of(now.freeBytes()) + " are left.", "settings"));
        }
        return concerns;
    }

    private static Alert of(Part part) {
        return new Alert(part.name() + ": " + part.words(), part.name().equals("mail") ? "#mail" : "settings");
    }

    private void addBacklogAlerts(SystemStatus now, List<Alert> concerns) {
        if (now.waiting() >= NEARLY * now.mostWaiting()) {
            concerns.add(new Alert(
                    counted(now.waiting(), "accepted action waits", "accepted actions wait") + ", of at most "
                            + now.mostWaiting()
                            + " (hooks.maxPending); past that, senders are told to try again later.",
                    "runs?status=queued"));
        }
        @Nullable Duration run = now.oldestRun();
        if (run != null && run.compareTo(LONG) > 0) {
            boolean full = now.running() >= now.mostRunning();
            concerns.add(new Alert(
                    "A run has waited for its turn for " + DurationText.precise(run)
                            + (full ? ", and all turns of this node are taken (agents.maxConcurrent)." : "."),
                    "runs?status=queued"));
        }
        @Nullable Duration event = now.oldestEvent();
        if (event != null && eventsMayWait != null && event.compareTo(eventsMayWait) > 0) {
            concerns.add(new Alert(
                    "An event has waited for a heartbeat for " + DurationText.precise(event) + ".", "sessions"));
        }
    }

    private static void addFailureAlerts(Lately ended, String one, String several, String when, List<Alert> concerns) {
        if (ended.failed() > 0) {
            concerns.add(new Alert(
                    counted(ended.failed(), one, several) + " failed " + when
                            + (ended.latest() == null ? "" : ", of the latest " + ended.latest()) + ".",
                    ended.failures()));
        }
    }

    private static String counted(long count, String one, String several) {
        return count + " " + (count == 1 ? one : several);
    }
}
