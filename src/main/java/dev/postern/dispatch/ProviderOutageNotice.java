package dev.postern.dispatch;

import dev.postern.agent.ProviderBreaker.Outage;
import dev.postern.channel.EventReporter;
import dev.postern.model.ReportedEventType;
import dev.postern.store.Store;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A notice about a provider that this node has found to be down, as an event for its subscribers. */
public final class ProviderOutageNotice implements BiConsumer<String, Outage> {

    private static final Logger LOG = System.getLogger(ProviderOutageNotice.class.getName());

    private final Store store;
    private final EventReporter eventReporter;

    public ProviderOutageNotice(Store store, EventReporter eventReporter) {
        this.store = store;
        this.eventReporter = eventReporter;
    }

    /** Reports the outage behind the caller, which is not held up. */
    @Override
    public void accept(String provider, Outage outage) {
        if (!eventReporter.isWanted(ReportedEventType.PROVIDER_DOWN)) {
            return;
        }
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        data.put("provider", provider);
        data.put("since", outage.since().truncatedTo(ChronoUnit.MILLIS).toString());
        data.put("reason", outage.reason());
        var unused = store.write(sql -> {
                    eventReporter.report(sql, ReportedEventType.PROVIDER_DOWN, data, outage.since());
                    return true;
                })
                .whenComplete((written, failure) -> {
                    if (failure != null) {
                        LOG.log(Level.WARNING, "Could not report the outage of {0}: {1}", provider, failure.toString());
                    }
                });
    }
}
