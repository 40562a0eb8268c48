package dev.postern.ingress;

import dev.postern.model.HookRequest;
import dev.postern.model.HookResult;
import dev.postern.model.RequestOrigin;
import dev.postern.model.SealedPayload;
import org.jspecify.annotations.Nullable;

/** A recorder of admitted requests in the request log. */
public interface RequestRecorder {

    /**
     * The payload to store in the commit that accepts {@code request}, which also records it; null if it is not kept.
     *
     * @param mapping the id of the mapping that took it; empty if none was needed
     */
    @Nullable
    SealedPayload payload(HookRequest request, String mapping);

    /**
     * Records a request that was not accepted, with its payload if that is kept.
     *
     * @param mapping the id of the mapping that took it; empty if none did
     */
    void record(HookRequest request, RequestOrigin origin, String mapping, HookResult result);
}
