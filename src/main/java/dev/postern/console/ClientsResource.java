package dev.postern.console;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.access.AuthenticationLockouts;
import dev.postern.console.AuditedActions.Performed;
import dev.postern.model.OperatorResult;
import dev.postern.store.StoreException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A resource that ends the lock-outs of clients. */
@RequiresUser
public final class ClientsResource {

    private static final String UNLOCK = "clients/unlock";
    private static final String ADDRESS = "address";

    private final AuthenticationLockouts lockouts;
    private final AuditedActions auditedActions;

    ClientsResource(AuthenticationLockouts lockouts, AuditedActions auditedActions) {
        this.lockouts = lockouts;
        this.auditedActions = auditedActions;
    }

    /**
     * Ends the lock-out of a client.
     *
     * @param address an address or a network as the settings list it, whose slash is sent as it is
     */
    @POST
    @Path("{address: .+}/unlock")
    public Performed unlock(@PathParam("address") String address, @Context HttpServletRequest request)
            throws StoreException {
        return auditedActions.perform(UNLOCK, address, "settings", this::unlocked, request);
    }

    /**
     * Ends the lock-out of the client that a JSON object names in its member {@code address}. Servers reject the encoded slash that
     * a generated client sends for a network in a path.
     */
    @POST
    @Path("unlock")
    @Consumes(MediaType.APPLICATION_JSON)
    public Performed byProgram(@Nullable Map<String, JsonNode> json, @Context HttpServletRequest request)
            throws StoreException {
        @Nullable JsonNode address = json == null ? null : json.get(ADDRESS);
        if (address == null || !address.isTextual() || address.textValue().isBlank()) {
            throw new ParameterException(ADDRESS + " is missing: it is a client's address, as the settings list it.");
        }
        return unlock(address.textValue(), request);
    }

    private OperatorResult unlocked(String address) {
        return lockouts.unlock(address)
                ? new OperatorResult.Done(address + " is unlocked.")
                : new OperatorResult.Conflict(address + " is not locked out of this node.");
    }
}
