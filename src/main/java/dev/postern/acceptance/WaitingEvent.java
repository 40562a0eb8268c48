package dev.postern.acceptance;

import dev.postern.model.EventId;
import dev.postern.model.Provenance;
import dev.postern.model.RunId;
import dev.postern.model.TraceContext;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An event that no heartbeat has taken yet.
 *
 * @param run the run that it summarises; null for a wake
 * @param requests the number of requests that became the event
 * @param items the texts of these requests that are kept, in order; none if it is one request's
 * @param trace the trace context of the request, or of the run that it summarises; null for none
 */
public record WaitingEvent(
        EventId id,
        String text,
        Provenance provenance,
        @Nullable RunId run,
        Instant createdAt,
        int requests,
        List<RequestItem> items,
        @Nullable TraceContext trace) {

    public WaitingEvent {
        items = List.copyOf(items);
    }

    /** An event of one request. */
    public WaitingEvent(EventId id, String text, Provenance provenance, @Nullable RunId run, Instant createdAt) {
        this(id, text, provenance, run, createdAt, 1, List.of(), null);
    }

    /** The same event with its items. */
    WaitingEvent with(List<RequestItem> kept) {
        return new WaitingEvent(id, text, provenance, run, createdAt, requests, kept, trace);
    }
}
