package dev.postern.ingress;

/** Hears of payloads that are sent, since one may only say that there is something to fetch. */
@FunctionalInterface
public interface Doorbell {

    /**
     * True where {@code inbound}, which was admitted, says no more than that: somebody is on the way to fetch it, and there
     * is nothing to map. Must be quick.
     */
    boolean ring(Inbound inbound);
}
