package dev.postern.http;

import dev.postern.model.ErrorCode;
import dev.postern.model.HookResult;
import dev.postern.model.IdGenerator;
import dev.postern.model.Receipt;
import dev.postern.model.RunLookup;
import dev.postern.observe.ErrorIds;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The HTTP responses to the results of hook requests, which are counted as they are made. */
public final class ResultResponses {

    private static final System.Logger LOG = System.getLogger(ResultResponses.class.getName());
    private static final Duration RETRY_LOOKUP = Duration.ofSeconds(2);

    private final String runs;
    private final ResponseRecorder responseRecorder;
    private final ErrorIds ids = new ErrorIds();

    /**
     * Creates the responses.
     *
     * @param prefix the address of the hooks (context path and hook path), which begins the address of a run
     * @param responseRecorder counts the responses
     */
    public ResultResponses(String prefix, ResponseRecorder responseRecorder) {
        this.runs = prefix + "/runs/";
        this.responseRecorder = responseRecorder;
    }

    Response of(HookResult result) {
        if (result instanceof HookResult.Accepted accepted) {
            return accepted(accepted);
        }
        if (result instanceof HookResult.Nothing nothing) {
            return nothing.successStatus() == null
                    ? Response.noContent().build()
                    : json(nothing.status(), ResponseBodies.Nothing.BODY).build();
        }
        if (result instanceof HookResult.Handshake handshake) {
            return json(200, Map.of(handshake.field(), handshake.challenge())).build();
        }
        HookResult.Failure failure = (HookResult.Failure) result;
        return error(failure.error(), failure.sentence(), failure.field(), failure.retryAfter());
    }

    /** The response to a lookup of {@code id}, which is that of a run or of a delivery. */
    Response of(RunLookup lookup, String id) {
        if (lookup instanceof RunLookup.Found found) {
            return json(200, ResponseBodies.Run.of(found.run())).build();
        }
        if (lookup instanceof RunLookup.FoundDelivery found) {
            return json(200, ResponseBodies.DirectDelivery.of(found.delivery())).build();
        }
        if (lookup instanceof RunLookup.Unknown) {
            String noun = isDelivery(id) ? "delivery without an agent" : "run";
            return error(ErrorCode.NOT_FOUND, "No " + noun + " has this id.", null, null);
        }
        String nouns = isDelivery(id) ? "deliveries" : "runs";
        return error(
                ErrorCode.UNAVAILABLE, "The database can't be asked for " + nouns + " right now.", null, RETRY_LOOKUP);
    }

    /** Whether {@code id} is that of a delivery, by its form. */
    static boolean isDelivery(String id) {
        return id.startsWith(IdGenerator.DELIVERY);
    }

    /**
     * The response to an exception: 404 if Jersey finds no resource, else 500 with an id that is also in the log.
     *
     * @param requestId the id of the admitted request; empty if it asked for a run
     */
    Response of(Throwable failure, String requestId) {
        if (failure instanceof WebApplicationException web && web.getResponse().getStatus() < 500) {
            return of(new HookResult.NoSuchHook());
        }
        responseRecorder.recordError(ErrorCode.INTERNAL);
        return ErrorBody.internal(ids.log(LOG, "A hook failed, request " + requestId, failure))
                .response(500);
    }

    private Response accepted(HookResult.Accepted accepted) {
        Receipt receipt = accepted.receipts().get(0);
        Response.ResponseBuilder answer;
        if (accepted.fanOut()) {
            ResponseBodies.FanOut body = ResponseBodies.FanOut.of(accepted.receipts());
            answer = json(accepted.status(), body);
        } else if (receipt instanceof Receipt.Event event) {
            answer = json(accepted.status(), ResponseBodies.WakeAccepted.of(event, accepted.coalesced()));
        } else if (receipt instanceof Receipt.Delivery delivery) {
            answer = json(accepted.status(), ResponseBodies.DeliveryAccepted.of(delivery, accepted.coalesced()))
                    .header("Location", runs + delivery.name());
        } else {
            Receipt.Run run = (Receipt.Run) receipt;
            answer = json(accepted.status(), ResponseBodies.TurnAccepted.of(run, accepted.coalesced()))
                    .header("Location", runs + run.id());
        }
        if (accepted.replayed()) {
            return answer.header("Idempotent-Replayed", "true").build();
        }
        accepted.receipts().forEach(responseRecorder::accepted);
        return answer.build();
    }

    private Response error(ErrorCode code, String sentence, @Nullable String field, @Nullable Duration retryAfter) {
        responseRecorder.recordError(code);
        Response.ResponseBuilder response = json(code.status(), ErrorBody.of(code, sentence, field));
        return retryAfter == null
                ? response.build()
                : response.header("Retry-After", Math.max(1, retryAfter.toSeconds()))
                        .build();
    }

    private static Response.ResponseBuilder json(int status, Object body) {
        return Response.status(status).entity(body).type(MediaType.APPLICATION_JSON_TYPE);
    }
}
