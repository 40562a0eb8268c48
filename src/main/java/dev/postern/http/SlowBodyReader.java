package dev.postern.http;

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
 * Reads a body that has not arrived whole yet, without holding a container thread while it trickles in. Whoever comes
 * first ends it, and only once: the last byte, the first byte too many, the deadline, or a broken connection. But for the
 * last of them, the request is then dispatched again with its verdict attached, so that a container thread answers: the
 * clock's own must not wait for a sender that doesn't read.
 */
final class SlowBodyReader implements ReadListener {

    private static final System.Logger LOG = System.getLogger(SlowBodyReader.class.getName());

    /** Where the body hangs on its request. */
    private static final String BODY = "dev.postern.http.body";

    private final AsyncContext exchange;
    private final ServletInputStream in;
    private final ArrivingBody body;
    private final ScheduledExecutorService clock;
    private final Function<byte[], AdmissionResult> judge;
    private final BodyProcessingQueue queue;
    private final Consumer<FixedErrorResponse> refused;
    private final OneShotTimeout end = new OneShotTimeout();

    private SlowBodyReader(
            AsyncContext exchange,
            ServletInputStream in,
            ArrivingBody body,
            ScheduledExecutorService clock,
            Function<byte[], AdmissionResult> judge,
            BodyProcessingQueue queue,
            Consumer<FixedErrorResponse> refused) {
        this.exchange = exchange;
        this.in = in;
        this.body = body;
        this.clock = clock;
        this.judge = judge;
        this.queue = queue;
        this.refused = refused;
    }

    /**
     * Begins to wait for the rest of {@code body}, which is released in the end: by {@link #resume}, or where it doesn't come
     * to that.
     *
     * @param queue in which a large body is processed
     * @param judge says what becomes of the request when all of the body is here
     * @param refused told of a refusal that this sends
     */
    static void await(
            HttpServletRequest request,
            HttpServletResponse response,
            ArrivingBody body,
            ScheduledExecutorService clock,
            Function<byte[], AdmissionResult> judge,
            BodyProcessingQueue queue,
            Consumer<FixedErrorResponse> refused)
            throws IOException {
        SlowBodyReader slow = of(request, response, body, clock, judge, queue, refused);
        slow.end.set(clock, body.limit().timeout(), slow::giveUp);
        ReadListenerRegistration.begin(request, slow, clock);
    }

    /** Has a body that has arrived whole processed when it is its turn, without this thread. */
    static void awaitTurn(
            HttpServletRequest request,
            HttpServletResponse response,
            ArrivingBody body,
            ScheduledExecutorService clock,
            Function<byte[], AdmissionResult> judge,
            BodyProcessingQueue queue,
            Consumer<FixedErrorResponse> refused)
            throws IOException {
        of(request, response, body, clock, judge, queue, refused).onAllDataRead();
    }

    private static SlowBodyReader of(
            HttpServletRequest request,
            HttpServletResponse response,
            ArrivingBody body,
            ScheduledExecutorService clock,
            Function<byte[], AdmissionResult> judge,
            BodyProcessingQueue queue,
            Consumer<FixedErrorResponse> refused)
            throws IOException {
        AsyncContext exchange = new LeakFreeAsyncContext(request.startAsync(request, response));
        exchange.setTimeout(0); // the deadline is ours
        exchange.addListener(new AsyncEndListener(body::release));
        request.setAttribute(BODY, body);
        return new SlowBodyReader(exchange, request.getInputStream(), body, clock, judge, queue, refused);
    }

    /**
     * Carries out the verdict with which a request was dispatched for its body.
     *
     * @return false for a request that comes for the first time
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
        while (goesOn && !end.isOver() && in.isReady() && !in.isFinished()) {
            goesOn = body.read(in);
        }
        @Nullable FixedErrorResponse fault = body.fault();
        if (fault != null && end.isFirst()) {
            body.release();
            dispatch(fault);
        }
    }

    @Override
    public void onAllDataRead() {
        if (end.isFirst()) {
            body.process(queue, () -> dispatch(body.handTo(judge)));
        }
    }

    /** Servers have a deadline of their own for each read, which may come before ours. */
    @Override
    public void onError(Throwable failure) {
        if (!end.isFirst()) {
            return;
        }
        body.release();
        boolean late = failure instanceof SocketTimeoutException || failure instanceof TimeoutException;
        FixedErrorResponse fixedErrorResponse =
                late ? FixedErrorResponse.late(body.limit()) : FixedErrorResponse.BODY_BROKEN;
        refused.accept(fixedErrorResponse);
        try {
            fixedErrorResponse.send((HttpServletResponse) exchange.getResponse());
            // Some servers hang up after a broken body without sending what is only buffered; and Open Liberty, left to
            // close what a sender who has gone can't get, would log an error.
            exchange.getResponse().getOutputStream().close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "A sender went away before its refusal was sent", e);
        } finally {
            exchange.complete();
        }
    }

    /** The clock's thread leaves even the dispatch to one of the server's, as {@link ReadListenerRegistration} asks of it. */
    private void giveUp() {
        body.release();
        unlessItHasEnded(() -> exchange.start(() -> dispatch(FixedErrorResponse.late(body.limit()))));
    }

    /**
     * A server that fails to dispatch sends the status that is set. It is set no sooner: of a body that breaks, Grizzly answers 400 by
     * itself, unless the status is an error's already.
     */
    private void dispatch(AdmissionResult admissionResult) {
        unlessItHasEnded(() -> {
            admissionResult.attach(exchange.getRequest());
            ((HttpServletResponse) exchange.getResponse()).setStatus(ErrorCode.UNAVAILABLE.status());
            DispatchTimeout.watch(exchange, clock, refused);
            exchange.dispatch();
        });
    }

    private void unlessItHasEnded(Runnable step) {
        try {
            step.run();
        } catch (IllegalStateException e) {
            body.release();
            LOG.log(System.Logger.Level.DEBUG, "The server ended a request before its body did", e);
        }
    }
}
