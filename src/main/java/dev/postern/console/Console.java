package dev.postern.console;

import dev.postern.acceptance.Intake;
import dev.postern.acceptance.RunBook;
import dev.postern.acceptance.SessionBook;
import dev.postern.access.Lockouts;
import dev.postern.access.PasswordGate;
import dev.postern.agent.TranscriptBook;
import dev.postern.channel.DeliveryBook;
import dev.postern.config.Settings;
import dev.postern.dispatch.Dispatcher;
import dev.postern.observe.Health;
import dev.postern.observe.LastHour;
import dev.postern.observe.RequestLog;
import dev.postern.store.Store;
import java.util.Map;

/** The operator's page. */
public final class Console {

    private Console() {}

    /** What was answered in the last hour. */
    public record Traffic(LastHour accepted, LastHour refused, LastHour throttled) {

        /** To be called once in each minute. */
        public void everyMinute() {
            accepted.everyMinute();
            refused.everyMinute();
            throttled.everyMinute();
        }
    }

    /**
     * Makes the page, to be mounted at {@code /console/*}.
     *
     * @param gate keeps out who guesses passwords
     * @param lockouts who is locked out, here and of the hooks
     * @param installed what runs here
     * @param vitals how the parts are that this room has no door to
     */
    public static ConsoleServlet of(
            PasswordGate gate,
            Lockouts lockouts,
            Health health,
            Traffic traffic,
            RequestLog requests,
            Intake intake,
            Dispatcher dispatcher,
            Store store,
            Trials trials,
            Installed installed,
            Vitals vitals) {
        AuditLog audit = new AuditLog(store, store.clock());
        RunBook runs = new RunBook(store);
        SessionBook sessions = new SessionBook(store);
        DeliveryBook deliveries = new DeliveryBook(store);
        Settings settings = installed.configured().settings();
        Look look = new Look(settings, health, intake, runs, deliveries, dispatcher, lockouts, store, vitals);
        Views views = new Views(
                Map.of(
                        "", new OverviewView(look, settings, traffic, System::nanoTime),
                        "requests", new RequestsView(requests),
                        "runs", new RunsView(runs),
                        "sessions", new SessionsView(sessions, dispatcher.outlook()),
                        "session", new OneSessionView(sessions, new TranscriptBook(store), dispatcher),
                        "deliveries", new DeliveriesView(deliveries),
                        "inbox", new InboxView(deliveries),
                        "try", new TryView(trials),
                        "audit", new AuditView(audit),
                        "settings", new SettingsView(installed, vitals, dispatcher.node(), lockouts, store.clock())),
                Map.of("runs", new OneRunView(runs, deliveries)));
        Acts acts = new Acts(new OperatorActs(intake, dispatcher.desk(), lockouts).byName(), audit);
        return new ConsoleServlet(
                new Reception(views, acts),
                new Entrance(gate),
                settings.console() == Settings.Access.LOCAL,
                settings.hooks().path(),
                settings.hooks().bodyTimeout());
    }
}
