package dev.postern.model;

import org.jspecify.annotations.Nullable;

/**
 * A request as the request log stores it.
 *
 * @param replayOf the id of the request that this one replays; null if it came from a sender
 * @param payload null if the payload is not kept
 */
public record LoggedRequest(RequestLogEntry entry, @Nullable String replayOf, @Nullable SealedPayload payload) {}
