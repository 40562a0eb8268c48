package dev.postern.acceptance;

import dev.postern.model.EventId;
import dev.postern.model.Provenance;
import dev.postern.model.RunId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An event that no heartbeat has taken yet.
 *
 * @param run the run that it summarises; null for a wake
 */
public record WaitingEvent(EventId id, String text, Provenance provenance, @Nullable RunId run, Instant createdAt) {}
