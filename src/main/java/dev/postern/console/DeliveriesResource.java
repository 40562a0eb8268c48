package dev.postern.console;

import dev.postern.channel.DeliveryQueries;
import dev.postern.console.AuditedActions.Performed;
import dev.postern.dispatch.OperatorCommands;
import dev.postern.model.DeliveryState;
import dev.postern.store.StoreException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A resource that lists deliveries, the latest first, a page at a time. */
@RequiresUser
public final class DeliveriesResource {

    private static final int MOST = 50;

    /** The states that a delivery can be in, which {@code NONE} is not. */
    static final DeliveryState[] STATES = {
        DeliveryState.PENDING, DeliveryState.DELIVERED, DeliveryState.SUPPRESSED, DeliveryState.FAILED
    };

    private final DeliveryQueries book;
    private final OperatorCommands operatorCommands;
    private final AuditedActions auditedActions;

    DeliveriesResource(DeliveryQueries book, OperatorCommands operatorCommands, AuditedActions auditedActions) {
        this.book = book;
        this.operatorCommands = operatorCommands;
        this.auditedActions = auditedActions;
    }

    /**
     * A page of deliveries.
     *
     * @param statuses all states that a delivery can be in
     * @param status the state to which the page is limited; null for all
     * @param channel the channel to which the page is limited; null for all
     * @param endedAfter the time after which the deliveries of the page have ended; null for all
     * @param older the delivery number after which the next page begins; null on the last page
     */
    record Shown(
            List<DeliveryState> statuses,
            @Nullable DeliveryState status,
            @Nullable String channel,
            @Nullable Instant endedAfter,
            List<DeliveryQueries.Line> deliveries,
            @Nullable Long older) {}

    /**
     * The deliveries of a state and a channel that follow number {@code before} and have ended after {@code endedAfter}; a
     * missing parameter does not filter.
     */
    @GET
    @PageTemplate("deliveries")
    public Shown latest(
            @QueryParam("status") @Nullable DeliveryState status,
            @QueryParam("channel") @Nullable String channel,
            @QueryParam("endedAfter") @Nullable Instant endedAfter,
            @QueryParam("before") @Nullable Long before)
            throws StoreException {
        DeliveryQueries.Filter filter = new DeliveryQueries.Filter(status, channel, endedAfter, before);
        DeliveryQueries.Page<DeliveryQueries.Line> page = book.latest(filter, MOST);
        return new Shown(List.of(STATES), status, channel, endedAfter, page.found(), page.older());
    }

    /** Makes a delivery due again, so that it is sent soon. */
    @POST
    @Path("{id}/again")
    public Performed again(@PathParam("id") String id, @Context HttpServletRequest request) throws StoreException {
        return auditedActions.perform("deliveries/again", id, "deliveries", operatorCommands::tryAgain, request);
    }

    /** Abandons a delivery, so that it is not sent any more. */
    @POST
    @Path("{id}/abandon")
    public Performed abandon(@PathParam("id") String id, @Context HttpServletRequest request) throws StoreException {
        return auditedActions.perform("deliveries/abandon", id, "deliveries", operatorCommands::giveUp, request);
    }
}
