package dev.postern.console;

import dev.postern.acceptance.Intake;
import dev.postern.acceptance.RunBook;
import dev.postern.access.Gate;
import dev.postern.channel.DeliveryBook;
import dev.postern.dispatch.Dispatcher;
import dev.postern.observe.Health;
import dev.postern.observe.LastHour;
import dev.postern.observe.RequestLog;
import jakarta.servlet.Servlet;
import java.util.Map;

/** The operator's page. */
public final class Console {

    private Console() {}

    /**
     * What was answered in the last hour.
     */
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
     * @param localOnly whether for requests from other machines there is nothing here
     * @param gate counts the failures of those who log in
     */
    public static Servlet of(
            boolean localOnly,
            Gate gate,
            Health health,
            Traffic traffic,
            RequestLog requests,
            Intake intake,
            RunBook runs,
            DeliveryBook deliveries,
            Dispatcher dispatcher) {
        Views views = new Views(
                Map.of(
                        "", new OverviewView(health, traffic, intake, dispatcher),
                        "requests", new RequestsView(requests),
                        "runs", new RunsView(runs),
                        "deliveries", new DeliveriesView(deliveries),
                        "inbox", new InboxView(deliveries)),
                Map.of("runs", new OneRunView(runs)));
        return new ConsoleServlet(views, new Entrance(gate), localOnly);
    }
}
