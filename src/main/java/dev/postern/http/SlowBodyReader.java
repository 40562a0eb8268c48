package dev.postern.http;

import dev.postern.model.ErrorCode;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
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
 * A reader of a body that has not arrived whole yet, or whose turn to be processed has not come, which holds no container
 * thread meanwhile. The first of these events ends it, and only once: the turn of the whole body, the first byte too many,
 * the deadline, or a broken connection. Except after a broken connection, the request is then dispatched again with its
 * {@link AdmissionResult}, so that a container thread decides and responds. The clock's thread must not wait for a sender
 * that doesn't read.
 */
final class SlowBodyReader implements ReadListener {

    private static final System.Logger LOG = System.getLogger(SlowBodyReader.class.getName());

    /** The name of the request attribute that holds the body. */
    private static final String BODY = "dev.postern.http.body";

    /** The name of the request attribute that holds the dispatch. */
    private static final String DISPATCH = "dev.postern.http.dispatch";

    private final AsyncContext exchange;
    private final ServletInputStream in;
    private final ArrivingBody body;
    private final boolean asksAfterLastByte;
    private final ScheduledExecutorService clock;
    private final Function<byte[], AdmissionResult> judge;
    private final BodyProcessingQueue queue;
    private final PendingDispatches pendingDispatches;
    private final Consumer<FixedErrorResponse> refused;
    private final OneShotTimeout end = new OneShotTimeout();
    private volatile boolean hasArrived;
    private volatile PendingDispatches.@Nullable Dispatch dispatch;

    /**
     * Makes {@code request} asynchronous. {@link #resume} releases the body, or the end of the request does.
     *
     * @param judge decides on the request, on the thread of its dispatch, when the whole body has arrived
     * @param queue the queue in which a large body is processed
     * @param pendingDispatches counts the dispatch, or forbids it because the server ends the filter
     * @param refused receives an error response that is sent here
     */
    SlowBodyReader(
            HttpServletRequest request,
            HttpServletResponse response,
            ArrivingBody body,
            ScheduledExecutorService clock,
            Function<byte[], AdmissionResult> judge,
            BodyProcessingQueue queue,
            PendingDispatches pendingDispatches,
            Consumer<FixedErrorResponse> refused)
            throws IOException {
        this.exchange = new LeakFreeAsyncContext(request.startAsync(request, response));
        exchange.setTimeout(0); // this class keeps the deadline
        exchange.addListener(new EndListener(), request, response);
        request.setAttribute(BODY, body);
        this.in = request.getInputStream();
        this.body = body;
        this.asksAfterLastByte = ReadListenerRegistration.mayAskAfterLastByte(request);
        this.clock = clock;
        this.judge = judge;
        this.queue = queue;
        this.pendingDispatches = pendingDispatches;
        this.refused = refused;
    }

    /** Begins to wait for the rest of the body. */
    void begin(HttpServletRequest request) throws IOException {
        startDeadline();
        ReadListenerRegistration.begin(request, this, clock);
    }

    /** Begins to wait for the turn of a body that has arrived whole. */
    void awaitTurn() {
        startDeadline();
        onAllDataRead();
    }

    private void startDeadline() {
        end.set(clock, body.limit().timeout(), this::giveUp);
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
        if (request.getAttribute(DISPATCH) instanceof PendingDispatches.Dispatch dispatch) {
            dispatch.end();
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

    /**
     * Releases what the request holds, at its end.
     *
     * @return whether the request was dispatched again and that dispatch has not reached the filter
     */
    private boolean release() {
        end.tryEnd();
        body.release();
        PendingDispatches.@Nullable Dispatch begun = dispatch;
        return begun != null && begun.end();
    }

    /** Processes the whole body in its turn, without this thread. */
    @Override
    public void onAllDataRead() {
        hasArrived = true;
        body.process(queue, () -> {
            if (end.tryEnd()) {
                dispatch(new WholeBody(body, judge));
            }
        });
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
        answer(late ? late() : FixedErrorResponse.BODY_BROKEN);
    }

    private FixedErrorResponse late() {
        return hasArrived ? FixedErrorResponse.TOO_MANY_BODIES : FixedErrorResponse.late(body.limit());
    }

    /** Ends the request with an error response that is sent here. */
    private void answer(FixedErrorResponse fixedErrorResponse) {
        answer(fixedErrorResponse, (HttpServletResponse) exchange.getResponse());
    }

    private void answer(FixedErrorResponse fixedErrorResponse, HttpServletResponse response) {
        if (!response.isCommitted()) {
            refused.accept(fixedErrorResponse);
            fixedErrorResponse.complete(exchange, response);
        }
    }

    /**
     * Ends the wait at the deadline. Even the dispatch runs on a thread of the server, since
     * {@link ReadListenerRegistration} forbids it on the clock's.
     */
    private void giveUp() {
        body.release();
        unlessItHasEnded(() -> exchange.start(() -> dispatch(late())));
    }

    /**
     * Dispatches the request again with its result, unless the server ends the filter. A server that fails to dispatch
     * sends the status that is set here. It is not set earlier: Grizzly itself answers 400 to a broken body, unless the
     * status is already an error's.
     */
    private void dispatch(AdmissionResult admissionResult) {
        unlessItHasEnded(() -> {
            ServletRequest request = exchange.getRequest();
            dispatch = pendingDispatches.begin();
            if (dispatch == null) {
                answer(FixedErrorResponse.STOPPED);
                return;
            }
            request.setAttribute(DISPATCH, dispatch);
            admissionResult.attach(request);
            ((HttpServletResponse) exchange.getResponse()).setStatus(ErrorCode.UNAVAILABLE.status());
            DispatchTimeout.dispatch(exchange, () -> unlessItHasEnded(exchange::dispatch), clock, refused);
        });
    }

    /** Runs {@code step}. Whatever it throws, nothing of the body is held after that. */
    private void unlessItHasEnded(Runnable step) {
        boolean isDone = false;
        try {
            step.run();
            isDone = true;
        } catch (IllegalStateException e) {
            LOG.log(System.Logger.Level.DEBUG, "Server ended the request before its body arrived", e);
        } catch (UnsupportedOperationException e) {
            // Tomcat throws this where it has already forgotten the application that it stops.
            LOG.log(System.Logger.Level.DEBUG, "Server no longer dispatches requests", e);
            answer(FixedErrorResponse.STOPPED);
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.ERROR, "Server failed to dispatch a request", e);
            answer(FixedErrorResponse.DISPATCH_LOST);
        } finally {
            if (!isDone) {
                release();
            }
        }
    }

    /**
     * A body that has arrived, on which the judge decides when the request is dispatched again.
     *
     * @param judge decides on the request
     */
    record WholeBody(ArrivingBody body, Function<byte[], AdmissionResult> judge) implements AdmissionResult {

        @Override
        public void carryOut(
                HttpServletRequest request,
                HttpServletResponse response,
                FilterChain chain,
                ResponseRecorder responseRecorder)
                throws IOException, ServletException {
            body.handTo(judge).carryOut(request, response, chain, responseRecorder);
        }
    }

    /** A listener for the end of the asynchronous request, whether it completed or failed. */
    private final class EndListener implements AsyncListener {

        @Override
        public void onComplete(AsyncEvent event) {
            release();
        }

        /**
         * Ends the request. Where Tomcat has ended the servlet and not yet the filter, it takes a dispatch past the filter
         * and calls this with a 404, which few senders would send again.
         */
        @Override
        public void onError(AsyncEvent event) {
            if (release()) {
                answer(FixedErrorResponse.STOPPED, (HttpServletResponse) event.getSuppliedResponse());
            }
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            release();
        }

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }
}
