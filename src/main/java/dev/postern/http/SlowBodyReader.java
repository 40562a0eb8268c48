package dev.postern.http;

import dev.postern.model.ErrorCode;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A reader of a body that has not arrived whole yet, which holds no container thread meanwhile. The first of these
 * events ends it, and only once: the last byte, the first byte too many, the deadline, or a broken connection. Except
 * after a broken connection, the request is then dispatched again with its {@link AdmissionResult}, so that a container
 * thread responds. The clock's thread must not wait for a sender that doesn't read.
 */
final class SlowBodyReader implements ReadListener {

    private static final System.Logger LOG = System.getLogger(SlowBodyReader.class.getName());

    /** The name of the request attribute that holds the body. */
    private static final String BODY = "dev.postern.http.body";

    private final AsyncContext exchange;
    private final ServletInputStream in;
    private final ArrivingBody body;
    private final boolean asksAfterLastByte;
    private final ScheduledExecutorService clock;
    private final Function<byte[], AdmissionResult> judge;
    private final BodyProcessingQueue queue;
    private final Consumer<FixedErrorResponse> refused;
    private final OneShotTimeout end = new OneShotTimeout();

    /**
     * Makes {@code request} asynchronous. {@link #resume} releases the body, or the end of the request does.
     *
     * @param judge decides on the request when the whole body has arrived
     * @param queue the queue in which a large body is processed
     * @param refused receives an error response that is sent here
     */
    SlowBodyReader(
            HttpServletRequest request,
            HttpServletResponse response,
            ArrivingBody body,
            ScheduledExecutorService clock,
            Function<byte[], AdmissionResult> judge,
            BodyProcessingQueue queue,
            Consumer<FixedErrorResponse> refused)
            throws IOException {
        this.exchange = new LeakFreeAsyncContext(request.startAsync(request, response));
        exchange.setTimeout(0); // this class keeps the deadline
        exchange.addListener(new AsyncEndListener(body::release));
        request.setAttribute(BODY, body);
        this.in = request.getInputStream();
        this.body = body;
        this.asksAfterLastByte = ReadListenerRegistration.mayAskAfterLastByte(request);
        this.clock = clock;
        this.judge = judge;
        this.queue = queue;
        this.refused = refused;
    }

    /** Begins to wait for the rest of the body. */
    void begin(HttpServletRequest request) throws IOException {
        end.set(clock, body.limit().timeout(), this::giveUp);
        ReadListenerRegistration.begin(request, this, clock);
    }

    /**
     * Carries out the result with which a request was dispatched again.
     *
     * @return false on a request's first dispatch
     */
    static boolean resume(
            HttpServletRequest request,
            HttpServletResponse response,
            FilterChain chain,
            ResponseRecorder responseRecorder)
            throws IOException, ServletException {
        @Nullable AdmissionResult admissionResult = AdmissionResult.dispatched(request);
        if (admissionResult == null) {
            return false;
        }
        if (DispatchTimeout.end(request)) {
            try {
                admissionResult.carryOut(request, response, chain, responseRecorder);
            } finally {
                if (request.getAttribute(BODY) instanceof ArrivingBody body) {
                    body.release();
                }
            }
        }
        return true;
    }

    @Override
    public void onDataAvailable() throws IOException {
        boolean goesOn = true;
        while (goesOn && mayAskForMore() && in.isReady()) {
            goesOn = body.read(in);
        }
        @Nullable FixedErrorResponse fault = body.error();
        if (fault != null && end.tryEnd()) {
            body.release();
            dispatch(fault);
        }
    }

    private boolean mayAskForMore() {
        return !end.isOver() && (asksAfterLastByte || !body.isWhole());
    }

    /** Processes the whole body in its turn, without this thread. */
    @Override
    public void onAllDataRead() {
        if (end.tryEnd()) {
            body.process(queue, () -> dispatch(body.handTo(judge)));
        }
    }

    /**
     * Ends the request after a broken connection, or after a server's own deadline for a read, which may come first.
     */
    @Override
    public void onError(Throwable failure) {
        if (!end.tryEnd()) {
            return;
        }
        body.release();
        boolean late = failure instanceof SocketTimeoutException || failure instanceof TimeoutException;
        FixedErrorResponse fixedErrorResponse =
                late ? FixedErrorResponse.late(body.limit()) : FixedErrorResponse.BODY_BROKEN;
        refused.accept(fixedErrorResponse);
        try {
            fixedErrorResponse.send((HttpServletResponse) exchange.getResponse());
            // Some servers disconnect after a broken body without sending the buffer. And if Open Liberty itself has to
            // close a response whose sender has disconnected, it logs an error.
            exchange.getResponse().getOutputStream().close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "Sender disconnected before the error response was sent", e);
        } finally {
            exchange.complete();
        }
    }

    /**
     * Ends the wait at the deadline. Even the dispatch runs on a thread of the server, since
     * {@link ReadListenerRegistration} forbids it on the clock's.
     */
    private void giveUp() {
        body.release();
        unlessItHasEnded(() -> exchange.start(() -> dispatch(FixedErrorResponse.late(body.limit()))));
    }

    /**
     * Dispatches the request again with its result. A server that fails to dispatch sends the status that is set here.
     * It is not set earlier: Grizzly itself answers 400 to a broken body, unless the status is already an error's.
     */
    private void dispatch(AdmissionResult admissionResult) {
        unlessItHasEnded(() -> {
            admissionResult.attach(exchange.getRequest());
            ((HttpServletResponse) exchange.getResponse()).setStatus(ErrorCode.UNAVAILABLE.status());
            DispatchTimeout.dispatch(exchange, () -> unlessItHasEnded(exchange::dispatch), clock, refused);
        });
    }

    private void unlessItHasEnded(Runnable step) {
        try {
            step.run();
        } catch (IllegalStateException e) {
            body.release();
            LOG.log(System.Logger.Level.DEBUG, "Server ended the request before its body arrived", e);
        }
    }
}
