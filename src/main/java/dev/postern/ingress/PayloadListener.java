package dev.postern.ingress;

import dev.postern.model.HookRequest;

/** A listener for requests that are sent to hooks. Some only announce that there is something to fetch. */
@FunctionalInterface
public interface PayloadListener {

    /**
     * Handles {@code request}, which was admitted, if it only announces that there is something to fetch. Must be
     * quick.
     *
     * @return true if the fetch has been triggered and there is nothing to map; false if the request is still to be
     *     mapped
     */
    boolean handle(HookRequest request);
}
