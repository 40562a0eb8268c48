package dev.postern.http;

import dev.postern.access.SenderGuard;
import dev.postern.ingress.Ingress;
import dev.postern.model.ErrorCode;
import dev.postern.model.HookRequest;
import dev.postern.model.HookResult;
import dev.postern.model.Receipt;
import dev.postern.model.Rejection;
import dev.postern.model.RunId;
import dev.postern.model.RunLookup;
import jakarta.inject.Singleton;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The JAX-RS resource of the hooks: it submits the requests that the filter has admitted, and responds with their
 * results. It also responds to unexpected errors. (A resource that is passed to Jersey as an instance must be a
 * provider as well, or Jersey warns that it was ignored.)
 */
@Path("")
@Singleton
public final class HooksResource implements ExceptionMapper<Throwable> {

    private static final String IDEMPOTENCY_KEY = "Idempotency-Key";
    private static final String PREFER = "Prefer";

    /** What senders of OpenClaw's hooks may send instead (its documentation of the hooks' configuration). */
    private static final String OPENCLAW_IDEMPOTENCY_KEY = "X-OpenClaw-Idempotency-Key";

    /**
     * The headers that reach Jersey. It sees no others, so it negotiates nothing and parses no other untrusted content.
     */
    static final List<String> HEADERS = List.of(IDEMPOTENCY_KEY, OPENCLAW_IDEMPOTENCY_KEY, PREFER);

    private final Ingress ingress;
    private final ResultResponses resultResponses;
    private final ResponseRecorder responseRecorder;
    private final RunLongPoll runLongPoll;
    private final SenderGuard senderGuard;
    private final InstantSource clock;

    /** The request that is handled by the calling thread. */
    @Context
    private @Nullable HttpServletRequest current;

    /** Creates a resource that submits to {@code ingress}. */
    public HooksResource(
            Ingress ingress,
            ResultResponses resultResponses,
            ResponseRecorder responseRecorder,
            SenderGuard senderGuard,
            InstantSource clock) {
        this.ingress = ingress;
        this.resultResponses = resultResponses;
        this.responseRecorder = responseRecorder;
        this.senderGuard = senderGuard;
        this.clock = clock;
        this.runLongPoll = new RunLongPoll(ingress::ended, id -> ingress.run(id, null));
    }

    /** Queues an event for the main session. */
    @POST
    @Path("wake")
    public Response wake(@Context HttpHeaders headers, @Context HttpServletRequest request) {
        AdmittedRequest admittedRequest = AdmittedRequest.of(request);
        return response(submit(headers, admittedRequest::bare), request);
    }

    /**
     * Requests an agent turn; with {@code Prefer: wait}, responds after the run has ended, without holding a thread
     * meanwhile.
     */
    @POST
    @Path("agent")
    public void agent(
            @Context HttpHeaders headers, @Context HttpServletRequest request, @Suspended AsyncResponse exchange) {
        AdmittedRequest admittedRequest = AdmittedRequest.of(request);
        answer(submit(headers, admittedRequest::bare), headers, request, exchange);
    }

    /** Requests the actions that a mapping makes of the payload. */
    @POST
    @Path("{hook: .+}")
    public void mapped(
            @Context HttpHeaders headers, @Context HttpServletRequest request, @Suspended AsyncResponse exchange) {
        AdmittedRequest admittedRequest = AdmittedRequest.of(request);
        answer(submit(headers, admittedRequest::mapped), headers, request, exchange);
    }

    /** Returns the state of a run, or of a delivery without an agent. */
    @GET
    @Path("runs/{id}")
    public Response run(@PathParam("id") String id, @Context HttpServletRequest request) {
        @Nullable String sender = RequestStart.of(request).sender();
        RunLookup lookup =
                ResultResponses.isDelivery(id) ? ingress.delivery(id, sender) : ingress.run(new RunId(id), sender);
        return resultResponses.of(lookup, id);
    }

    @Override
    public Response toResponse(Throwable failure) {
        HttpServletRequest request = Objects.requireNonNull(current, "set by Jersey");
        Response response = resultResponses.of(failure, RequestStart.label(request));
        responseRecorder.recordFailure(request, response);
        return response;
    }

    private void answer(HookResult result, HttpHeaders headers, HttpServletRequest request, AsyncResponse exchange) {
        Response usual = response(result, request);
        Optional<Duration> wait = WaitPreference.wait(values(headers, PREFER));
        if (wait.isPresent()
                && result instanceof HookResult.Accepted accepted
                && !accepted.fanOut()
                && accepted.receipts().get(0) instanceof Receipt.Run run) {
            AsyncContext server = request.getAsyncContext();
            server.addListener(new WaitEnd(() -> exchange.resume(usual)));
            runLongPoll.forEnd(run.id(), accepted.tellsReply(), wait.get(), exchange, server::start, usual);
        } else {
            exchange.resume(usual);
        }
    }

    private Response response(HookResult result, HttpServletRequest request) {
        if (result instanceof HookResult.ScriptFailed failed) {
            responseRecorder.recordScriptFailure(failed, request);
        }
        @Nullable String sender = RequestStart.of(request).sender();
        if (sender != null
                && result instanceof HookResult.Rejected rejected
                && rejected.error() == ErrorCode.NOT_ALLOWED) {
            senderGuard.recordNotAllowed(sender);
        }
        return resultResponses.of(result);
    }

    /** A factory of a hook request from an admitted one. */
    private interface RequestMaker {
        HookRequest of(@Nullable String idempotencyKey, Instant now);
    }

    private HookResult submit(HttpHeaders sent, RequestMaker request) {
        String header = values(sent, IDEMPOTENCY_KEY).isEmpty() ? OPENCLAW_IDEMPOTENCY_KEY : IDEMPOTENCY_KEY;
        List<String> keys = values(sent, header);
        if (keys.size() > 1) {
            return reject(request, header, "may be sent only once");
        }
        @Nullable String key = keys.isEmpty() ? null : utf8(keys.get(0));
        if (key == null && !keys.isEmpty()) {
            return reject(request, header, "must be UTF-8");
        }
        return ingress.submit(request.of(key, clock.instant()));
    }

    private HookResult reject(RequestMaker request, String header, String why) {
        Rejection rejection = Rejection.invalid(header, header + " " + why + ".");
        return ingress.reject(request.of(null, clock.instant()), rejection);
    }

    private static List<String> values(HttpHeaders headers, String name) {
        return Objects.requireNonNullElse(headers.getRequestHeader(name), List.of());
    }

    /** The text of a header that servers decode as one character per byte; null if its bytes are not UTF-8. */
    private static @Nullable String utf8(String header) {
        try {
            ByteBuffer bytes = StandardCharsets.ISO_8859_1.newEncoder().encode(CharBuffer.wrap(header));
            return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
        } catch (CharacterCodingException malformed) {
            return null;
        }
    }

    /**
     * A listener that responds when a server ends a request's wait. Tomcat reports a timeout when it stops a web
     * application.
     */
    private static final class WaitEnd implements AsyncListener {

        private final Runnable answer;

        /** @param answer sends the response that is due then */
        WaitEnd(Runnable answer) {
            this.answer = answer;
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            answer.run();
        }

        @Override
        public void onComplete(AsyncEvent event) {}

        @Override
        public void onError(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }
}
