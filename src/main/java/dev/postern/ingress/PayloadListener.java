package dev.postern.ingress;

import dev.postern.model.HookRequest;

/** Hears of payloads that are sent, since one may only say that there is something to fetch. */
@FunctionalInterface
public interface PayloadListener {

    /**
     * True where {@code request}, which was admitted, says no more than that: somebody is on the way to fetch it, and there
     * is nothing to map. Must be quick.
     */
    boolean ring(HookRequest request);
}
