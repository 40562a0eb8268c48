package dev.postern.http;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Enumeration;
import java.util.Locale;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Takes the bodies of requests that may be let in, and deals with those of requests that are not. */
final class Bodies {

    private static final int SMALL_BODY_BYTES = 8_192;

    /** What bodies may hold of which it isn't known yet whether they are rightly signed; or four of the largest, if that is more. */
    private static final long STRANGERS_BYTES = 32L * 1024 * 1024;

    private final BodyBounds bounds;
    private final ScheduledExecutorService clock;
    private final Answered answered;
    private final BodyBudget admitted = new BodyBudget(Long.MAX_VALUE);
    private final BodyBudget strangers;

    /**
     * @param clock keeps the deadlines of bodies that are slow to arrive
     * @param answered counts what is refused here
     */
    Bodies(BodyBounds bounds, ScheduledExecutorService clock, Answered answered) {
        this.bounds = bounds;
        this.clock = clock;
        this.answered = answered;
        this.strangers = new BodyBudget(Math.max(STRANGERS_BYTES, 4L * bounds.maxBytes()));
    }

    /**
     * Why the body of {@code request} is not to be read, as its headers say; null where nothing is wrong.
     *
     * @param hook the name of the hook that it is for
     * @param isAdmitted false where only all of the body shows whether its sender is to be let in
     */
    @Nullable
    Refusal fault(HttpServletRequest request, String hook, boolean isAdmitted) {
        if (length(request) > bounds.maxBytes(hook, isAdmitted)) {
            return Refusal.PAYLOAD_TOO_LARGE;
        }
        Enumeration<String> codings = request.getHeaders("Content-Encoding");
        while (codings.hasMoreElements()) {
            if (!codings.nextElement().strip().equalsIgnoreCase("identity")) {
                return Refusal.CONTENT_ENCODING;
            }
        }
        // As it was sent: Jetty 12.1 looks the charset up for getContentType, and breaks on one that there is not.
        @Nullable String type = request.getHeader("Content-Type");
        return type != null && !mayBeJson(type.toLowerCase(Locale.ROOT)) ? Refusal.CONTENT_TYPE : null;
    }

    /**
     * Reads the body, waiting for it without this thread where it must be waited for, and carries out what {@code judge}
     * says of it.
     *
     * @param hook the name of the hook that it is for
     * @param isAdmitted false where only all of the body shows whether its sender is to be let in
     */
    void take(
            HttpServletRequest request,
            HttpServletResponse response,
            FilterChain chain,
            String hook,
            boolean isAdmitted,
            Function<byte[], Verdict> judge)
            throws IOException, ServletException {
        int announced = (int) length(request);
        int maxBytes = bounds.maxBytes(hook, isAdmitted);
        ArrivingBody body = new ArrivingBody(announced, maxBytes, isAdmitted ? admitted : strangers);
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
     * Takes a body that has arrived whole with its headers, as a small one does, right here; what must be waited for is
     * waited for without this thread. (Tomcat says of its buffer only that there is something in it, not how much.)
     *
     * @return true where the body is waited for
     */
    private boolean takeOrWait(
            ArrivingBody body,
            Function<byte[], Verdict> judge,
            HttpServletRequest request,
            HttpServletResponse response,
            FilterChain chain)
            throws IOException, ServletException {
        try {
            readWhatIsHere(request.getInputStream(), body);
        } catch (IOException broken) { // Undertow says so as soon as it is asked what there is
            answered.refused(Refusal.BODY_BROKEN, request);
            Refusal.BODY_BROKEN.send(response);
            return false;
        }
        if (body.isWhole()) {
            body.handTo(judge).carryOut(request, response, chain, answered);
            return false;
        }
        @Nullable Refusal fault = body.waitFor();
        if (fault != null) {
            refuse(fault, request, response);
            return false;
        }
        SlowBody.await(
                request, response, body, bounds.timeout(), clock, judge, refusal -> answered.refused(refusal, request));
        return true;
    }

    /** Sends {@code refusal} and sees to it that what is left of the request holds no thread. */
    void refuse(Refusal refusal, HttpServletRequest request, HttpServletResponse response) throws IOException {
        answered.refused(refusal, request);
        if (leavesNothing(request)) {
            refusal.send(response);
        } else {
            UnreadBody.refuse(refusal, request, response, clock);
        }
    }

    /**
     * True where nothing of the request is still to come: it has no body, or a small one that is dropped here, or one that
     * broke off, or that the sender holds back until it is asked for (RFC 9110, section 10.1.1), which reading it would do.
     */
    private boolean leavesNothing(HttpServletRequest request) throws IOException {
        if (request.getHeader("Expect") != null) {
            return true;
        }
        long length = length(request);
        if (length <= 0) {
            return length == 0 || request.getHeader("Transfer-Encoding") == null;
        }
        if (length > SMALL_BODY_BYTES) {
            return false;
        }
        ArrivingBody dropped = new ArrivingBody((int) length, SMALL_BODY_BYTES, admitted);
        try {
            readWhatIsHere(request.getInputStream(), dropped);
        } catch (IOException broken) {
            return true;
        }
        return dropped.isWhole();
    }

    /**
     * Reads as far as it can be done without waiting. A body in chunks is left to {@link SlowBody}, which hears of faults in
     * them; here the server would answer those itself.
     */
    private static void readWhatIsHere(ServletInputStream in, ArrivingBody body) throws IOException {
        boolean goesOn = true;
        while (goesOn && body.isShort() && in.available() > 0) {
            goesOn = body.read(in);
        }
    }

    /** The Content-Length, -1 where there is none. Some servers break on one that is past what a long can hold. */
    private static long length(HttpServletRequest request) {
        try {
            return request.getContentLengthLong();
        } catch (NumberFormatException pastAll) {
            return Long.MAX_VALUE;
        }
    }

    /** Any type but one that says of itself that it is no JSON in UTF-8 (RFC 8259, section 8.1). */
    private static boolean mayBeJson(String type) {
        return !type.startsWith("multipart/") && !type.contains("utf-16") && !type.contains("utf-32");
    }
}
