package dev.postern.http;

import dev.postern.access.BodyLimit;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A reader of request bodies: the only one there is, for every address. It reads the bodies of requests that may be
 * admitted, within a limit and a budget of memory that all share. It drops the bodies of all other requests. No thread
 * waits for either.
 */
public final class BodyReader {

    private static final int SMALL_BODY_BYTES = 8_192;

    private static final byte[] NO_BODY = {};

    /** The memory that JSON may take as a tree, in bytes for each byte of it. */
    private static final int MEMORY_OF_A_BYTE = 32;

    private final ScheduledExecutorService clock;
    private final ResponseRecorder responseRecorder;
    private final BodyBudget all;
    private final BodyBudget unauthenticatedBudget;
    private final BodyProcessingQueue queue;
    private final PendingDispatches pendingDispatches = new PendingDispatches();

    /**
     * Creates a reader of bodies.
     *
     * @param budget the memory that all bodies in progress may hold; those of senders not yet authenticated may hold
     *     half of it
     * @param clock schedules the deadlines of bodies that are slow to arrive
     * @param responseRecorder counts the error responses that are sent here
     */
    public BodyReader(BodyBudget budget, ScheduledExecutorService clock, ResponseRecorder responseRecorder) {
        this.all = budget;
        this.unauthenticatedBudget = budget.half();
        this.queue = new BodyProcessingQueue(budget.bytes() / MEMORY_OF_A_BYTE);
        this.clock = clock;
        this.responseRecorder = responseRecorder;
    }

    /** The error in the headers of {@code request} that forbids reading its body; null if there is none. */
    @Nullable
    FixedErrorResponse error(HttpServletRequest request, BodyLimit limit) {
        long length = length(request);
        if (length > limit.maxBytes()) {
            return FixedErrorResponse.tooLarge(limit, length);
        }
        @Nullable FixedErrorResponse coding = GzipContent.codingError(request, limit);
        if (coding != null) {
            return coding;
        }
        // The raw header: Jetty 12.1's getContentType looks the charset up, and throws if it does not exist.
        @Nullable String type = request.getHeader("Content-Type");
        return type != null && !mayBeJson(type.toLowerCase(Locale.ROOT)) ? FixedErrorResponse.CONTENT_TYPE : null;
    }

    /**
     * Reads the body and carries out the result of {@code judge}. If the body must be waited for, this thread does not
     * wait. A body with a {@link #error} is rejected.
     */
    void take(
            HttpServletRequest request,
            HttpServletResponse response,
            FilterChain chain,
            BodyLimit limit,
            Function<byte[], AdmissionResult> judge)
            throws IOException, ServletException {
        @Nullable FixedErrorResponse fault = error(request, limit);
        if (fault != null) {
            sendError(fault, request, response);
            return;
        }
        int announced = (int) length(request);
        ArrivingBody body = new ArrivingBody(
                announced, limit, limit.isAdmitted() ? all : unauthenticatedBudget, GzipContent.isIn(request, limit));
        boolean waits = false;
        try {
            waits = takeOrWait(body, judge, request, response, chain);
        } finally {
            if (!waits) {
                body.release();
            }
        }
    }

    /**
     * Reads a body at once if it has arrived whole with its headers, as a small one does. Otherwise the body is waited
     * for without this thread. (Tomcat reveals only that its buffer holds something, not how much.)
     *
     * @return true if the body is waited for
     */
    private boolean takeOrWait(
            ArrivingBody body,
            Function<byte[], AdmissionResult> judge,
            HttpServletRequest request,
            HttpServletResponse response,
            FilterChain chain)
            throws IOException, ServletException {
        try {
            readAvailable(request.getInputStream(), body);
        } catch (IOException broken) { // Undertow throws as soon as it is asked for the available bytes
            responseRecorder.recordError(FixedErrorResponse.BODY_BROKEN, request);
            FixedErrorResponse.BODY_BROKEN.send(response);
            return false;
        }
        Consumer<FixedErrorResponse> refused =
                fixedErrorResponse -> responseRecorder.recordError(fixedErrorResponse, request);
        if (body.isWhole()) {
            if (body.mayProcessNow(queue)) {
                body.handTo(judge).carryOut(request, response, chain, responseRecorder);
                return false;
            }
            new SlowBodyReader(request, response, body, clock, judge, queue, pendingDispatches, refused).awaitTurn();
            return true;
        }
        @Nullable FixedErrorResponse fault = body.waitFor();
        if (fault != null) {
            sendError(fault, request, response);
            return false;
        }
        new SlowBodyReader(request, response, body, clock, judge, queue, pendingDispatches, refused).begin(request);
        return true;
    }

    /** Passes on a request as one without a body, and does not read its body. */
    void ignore(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        boolean closes = holdsBodyBack(request) || !leavesNothing(request);
        if (closes) {
            response.setHeader("Connection", "close");
        }
        chain.doFilter(new BufferedRequest(request, NO_BODY), response);
        if (closes && !BufferedRequest.isAnsweredLater(request)) {
            UnreadBody.drop(request, response, clock);
        }
    }

    /**
     * Ends the reading, for a filter that its server ends. Waits a second at most until the requests that are dispatched again
     * have reached their filters. A request whose body arrives after that is answered 503.
     */
    void close() {
        pendingDispatches.close();
    }

    /** A filter chain that answers 404 and does not read the body. */
    public FilterChain notFound() {
        return (request, response) -> {
            PageSender.setSecurityHeaders((HttpServletResponse) response);
            sendError(FixedErrorResponse.NOT_FOUND, (HttpServletRequest) request, (HttpServletResponse) response);
        };
    }

    /** Sends {@code fixedErrorResponse}; the rest of the request holds no thread. */
    void sendError(FixedErrorResponse fixedErrorResponse, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        responseRecorder.recordError(fixedErrorResponse, request);
        if (leavesNothing(request)) {
            fixedErrorResponse.send(response);
        } else {
            UnreadBody.sendError(fixedErrorResponse, request, response, clock);
        }
    }

    /**
     * Whether nothing more of the request is to come. It has no body, or a small one that is dropped here, or one that
     * broke off. Or the sender holds the body back until it is asked for, which reading would do.
     */
    private boolean leavesNothing(HttpServletRequest request) throws IOException {
        if (holdsBodyBack(request)) {
            return true;
        }
        long length = length(request);
        if (length <= 0) {
            return length == 0 || request.getHeader("Transfer-Encoding") == null;
        }
        if (length > SMALL_BODY_BYTES) {
            return false;
        }
        BodyLimit small = new BodyLimit(SMALL_BODY_BYTES, "", Duration.ZERO, "", true);
        ArrivingBody dropped = new ArrivingBody((int) length, small, all);
        try {
            readAvailable(request.getInputStream(), dropped);
        } catch (IOException broken) {
            return true;
        }
        return dropped.isWhole();
    }

    /** Whether the sender waits until its body is asked for. HTTP/1.0 knows no such header (RFC 9110, section 10.1.1). */
    private static boolean holdsBodyBack(HttpServletRequest request) {
        return request.getHeader("Expect") != null && !request.getProtocol().equals("HTTP/1.0");
    }

    /**
     * Reads as far as possible without waiting. A chunked body is left to {@link SlowBodyReader}, which is told of
     * errors in the chunks; here the server would answer those itself.
     */
    private static void readAvailable(ServletInputStream in, ArrivingBody body) throws IOException {
        boolean goesOn = true;
        while (goesOn && body.isShort() && in.available() > 0) {
            goesOn = body.read(in);
        }
    }

    /** The Content-Length; -1 if there is none. Some servers throw if it exceeds a long. */
    private static long length(HttpServletRequest request) {
        try {
            return request.getContentLengthLong();
        } catch (NumberFormatException pastAll) {
            return Long.MAX_VALUE;
        }
    }

    /**
     * Whether {@code type} may be JSON in UTF-8 (RFC 8259, section 8.1): any type that does not itself rule that out.
     */
    private static boolean mayBeJson(String type) {
        return !type.startsWith("multipart/") && !type.contains("utf-16") && !type.contains("utf-32");
    }
}
