package dev.postern.console;

import dev.postern.console.SystemStatus.Part;
import dev.postern.console.SystemStatus.RecentResults;
import dev.postern.model.DurationFormatter;
import dev.postern.model.NothingReason;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
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
        List<Alert> alerts = new ArrayList<>();
        if (!now.answers()) {
            alerts.add(new Alert(
                    "The database does not answer. Senders are told to try again later, and parts of this page are"
                            + " unknown. See the log.",
                    "settings"));
        }
        now.parts().stream()
                .filter(part -> !part.works() && (now.answers() || !part.name().equals(DATABASE)))
                .forEach(part -> alerts.add(of(part)));
        if (!hooksOn) {
            alerts.add(new Alert(
                    "The hooks are off (hooks.enabled is false): every hook request is rejected.", "settings"));
        }
        addBacklogAlerts(now, alerts);
        if (now.undecidedApprovals() != null && now.undecidedApprovals() > 0) {
            alerts.add(new Alert(
                    counted(now.undecidedApprovals(), "tool call waits", "tool calls wait") + " for approval.",
                    "approvals?undecided=true"));
        }
        now.outages()
                .forEach(outage -> alerts.add(new Alert(
                        "The provider " + outage.provider() + " is down, and its runs wait: " + outage.reason() + ".",
                        "#providers")));
        if (now.budgets() != null) {
            now.budgets().stream().filter(BudgetLine::isNearlySpent).forEach(budget -> alerts.add(of(budget)));
        }
        addFailureAlerts(now.providers(), "run", "runs", "in the last hour", alerts);
        addFailureAlerts(now.channels(), "delivery", "deliveries", "in the last day", alerts);
        now.switchedOff()
                .forEach(script -> alerts.add(new Alert(
                        "The transform [" + script + "] is switched off for a minute: it was stopped too often.",
                        "requests?code=mapping_failed")));
        now.otherPosterns()
                .forEach(other -> alerts.add(new Alert(
                        "Another Postern writes where the mapping " + other.mapping() + " listens: "
                                + counted(other.count(), "event", "events") + " asked for nothing since "
                                + other.first().truncatedTo(ChronoUnit.SECONDS) + ".",
                        "requests?code=" + NothingReason.OTHER_POSTERN.wire())));
        if (now.lockedOut() > 0) {
            alerts.add(new Alert(
                    counted(now.lockedOut(), "client is", "clients are")
                            + " locked out after too many wrong tokens, signatures or passwords.",
                    "settings#locked"));
        }
        if (now.freeBytes() != null && now.freeBytes() < LITTLE_BYTES) {
            alerts.add(new Alert(
                    "The disk of the home is nearly full: " + SizeText.of(now.freeBytes()) + " are free.", "settings"));
        }
        return alerts;
    }

    private static Alert of(Part part) {
        return new Alert(part.name() + ": " + part.words(), part.name().equals("mail") ? "#mail" : "settings");
    }

    private static Alert of(BudgetLine budget) {
        String sentence = "The budget " + budget.id() + " is used to " + budget.percent() + " %.";
        if (budget.spentUntil() != null) {
            String effect = budget.whenSpent().equals("refuse")
                    ? "Requests are rejected"
                    : budget.whenSpent().equals("fail") ? "Runs fail" : "Turns wait";
            sentence = "The budget " + budget.id() + " is spent. " + effect + " until "
                    + budget.spentUntil().truncatedTo(ChronoUnit.SECONDS) + ".";
        }
        return new Alert(sentence, "spending#budgets");
    }

    private void addBacklogAlerts(SystemStatus now, List<Alert> alerts) {
        if (now.waiting() != null && now.waiting() >= NEARLY * now.mostWaiting()) {
            alerts.add(new Alert(
                    counted(now.waiting(), "action is", "actions are") + " pending, of at most " + now.mostWaiting()
                            + " (hooks.maxPending). At the limit, senders are told to try again later.",
                    "runs?status=queued"));
        }
        @Nullable Duration run = now.oldestRun();
        if (run != null && run.compareTo(LONG) > 0) {
            boolean full = now.running() >= now.mostRunning();
            alerts.add(new Alert(
                    "The oldest queued run has waited for " + DurationFormatter.precise(run)
                            + (full ? ". This node runs as many turns as agents.maxConcurrent allows." : "."),
                    "runs?status=queued&sort=oldest"));
        }
        @Nullable Duration event = now.oldestEvent();
        if (event != null && eventsMayWait != null && event.compareTo(eventsMayWait) > 0) {
            alerts.add(new Alert(
                    "The oldest event has waited for a heartbeat for " + DurationFormatter.precise(event) + ".",
                    "sessions"));
        }
    }

    private static void addFailureAlerts(
            RecentResults ended, String one, String several, String when, List<Alert> alerts) {
        if (ended.failed() > 0) {
            alerts.add(new Alert(
                    counted(ended.failed(), one, several) + " failed " + when
                            + (ended.latest() == null ? "" : ", counted among the latest " + ended.latest()) + ".",
                    ended.failures()));
        }
    }

    private static String counted(long count, String one, String several) {
        return count + " " + (count == 1 ? one : several);
    }
}
