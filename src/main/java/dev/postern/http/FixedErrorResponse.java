package dev.postern.http;

import dev.postern.access.BodyLimit;
import dev.postern.model.ErrorCode;
import dev.postern.model.HookResult;
import dev.postern.model.Rejection;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.FilterChain;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * An error response that is the same for every sender. It is made once, so a rejection costs no more than sending it.
 */
final class FixedErrorResponse implements AdmissionResult {

    static final FixedErrorResponse QUERY_TOKEN = of(
            ErrorCode.QUERY_TOKEN,
            "A token in the query string is never read, since servers log it. Send it as Authorization: Bearer <token>.");
    static final FixedErrorResponse ONLY_POST =
            of(ErrorCode.METHOD_NOT_ALLOWED, "Only POST is answered here.", "Allow", "POST");
    static final FixedErrorResponse ONLY_GET =
            of(ErrorCode.METHOD_NOT_ALLOWED, "Only GET is answered here.", "Allow", "GET");
    static final FixedErrorResponse ONLY_GET_OR_HEAD =
            of(ErrorCode.METHOD_NOT_ALLOWED, "Only GET and HEAD are answered here.", "Allow", "GET, HEAD");
    static final FixedErrorResponse UNAUTHORIZED = of(
            ErrorCode.UNAUTHORIZED,
            "The hook token is missing or wrong. Send it as Authorization: Bearer <token>.",
            "WWW-Authenticate",
            "Bearer realm=\"hooks\"");
    static final FixedErrorResponse LOGIN = of(
            ErrorCode.UNAUTHORIZED,
            "The user's name or password is missing or wrong.",
            "WWW-Authenticate",
            "Basic realm=\"Postern\", charset=\"UTF-8\"");
    static final FixedErrorResponse NO_ROLE =
            of(ErrorCode.FORBIDDEN, "This user has neither role: postern-viewer, postern-operator.");
    static final FixedErrorResponse SIGNATURE_INVALID = of(
            ErrorCode.SIGNATURE_INVALID,
            "The signature is missing, wrong or too old.",
            "WWW-Authenticate",
            "Bearer realm=\"hooks\"");
    static final FixedErrorResponse SIGNATURE_UNDECIDED = retryable(
            ErrorCode.UNAVAILABLE, "What the signature is checked with is being fetched. Nothing was accepted.", 1);
    static final FixedErrorResponse HOOK_NOT_ALLOWED = new FixedErrorResponse(
            Rejection.HOOK_NOT_ALLOWED.code(),
            Rejection.HOOK_NOT_ALLOWED.sentence(),
            Rejection.HOOK_NOT_ALLOWED.field(),
            null,
            null,
            false);
    static final FixedErrorResponse NOT_FOUND = of(ErrorCode.NOT_FOUND, HookResult.NoSuchHook.SENTENCE);
    static final FixedErrorResponse CONTENT_ENCODING =
            closing(ErrorCode.UNSUPPORTED_MEDIA_TYPE, "A Content-Encoding other than identity is not taken.");
    static final FixedErrorResponse CONTENT_ENCODING_BESIDE_GZIP = new FixedErrorResponse(
            ErrorCode.UNSUPPORTED_MEDIA_TYPE,
            "A Content-Encoding other than gzip and identity is not taken, and only one.",
            null,
            "Accept-Encoding",
            "gzip, identity",
            true);
    static final FixedErrorResponse NOT_GZIP =
            of(ErrorCode.INVALID_PAYLOAD, "The body is not gzip, as its Content-Encoding says, or broke off.");
    static final FixedErrorResponse EXPANDS_TOO_FAR = of(
            ErrorCode.PAYLOAD_TOO_LARGE, "The body expands to more than " + GzipContent.MAX_RATIO + " times its size.");
    static final FixedErrorResponse CONTENT_TYPE = closing(
            ErrorCode.UNSUPPORTED_MEDIA_TYPE, "The body must be JSON in UTF-8; multipart, UTF-16 and UTF-32 are not.");
    static final FixedErrorResponse BODY_BROKEN =
            closing(ErrorCode.INVALID_PAYLOAD, "The body broke off, or its framing is malformed.");
    static final FixedErrorResponse TOO_MANY_BODIES =
            overloaded("Too many bodies are arriving at the same time. Nothing was accepted.");
    static final FixedErrorResponse DISPATCH_LOST =
            overloaded("The server did not get to this request in time. Nothing was accepted.");
    static final FixedErrorResponse STOPPED =
            retryable(ErrorCode.UNAVAILABLE, "Postern is being stopped. Nothing was accepted.", 5);
    static final FixedErrorResponse TOO_MANY_FOLLOWERS = retryable(
            ErrorCode.OVERLOADED,
            "This node streams the events of runs to as many clients as it can. Try again, or ask for JSON.",
            5);
    static final FixedErrorResponse TOO_MANY_FOLLOWERS_OF_RUN =
            retryable(ErrorCode.RATE_LIMITED, "Too many clients follow this run at this node.", 5);
    static final FixedErrorResponse TOO_MANY_FOLLOWERS_OF_SENDER =
            retryable(ErrorCode.RATE_LIMITED, "Too many clients with this token follow runs at this node.", 5);

    private static final System.Logger LOG = System.getLogger(FixedErrorResponse.class.getName());

    private final ErrorCode code;
    private final String sentence;
    private final byte[] body;
    private final @Nullable String header;
    private final @Nullable String value;
    private final boolean closes;

    /**
     * Creates a response.
     *
     * @param field the field at fault; null if there is none
     * @param header the name of an extra header; null for none
     * @param value the value of {@code header}; null for none
     * @param closes true if the rest of the request's body is not worth reading
     */
    private FixedErrorResponse(
            ErrorCode code,
            String sentence,
            @Nullable String field,
            @Nullable String header,
            @Nullable String value,
            boolean closes) {
        this.code = code;
        this.sentence = sentence;
        this.body = ErrorBody.of(code, sentence, field).json();
        this.header = header;
        this.value = value;
        this.closes = closes;
    }

    ErrorCode code() {
        return code;
    }

    /** The sentence of the error body. */
    String sentence() {
        return sentence;
    }

    @Override
    public void carryOut(
            HttpServletRequest request,
            HttpServletResponse response,
            FilterChain chain,
            ResponseRecorder responseRecorder)
            throws IOException {
        responseRecorder.recordError(this, request);
        String id = RequestStart.id(request);
        if (!id.isEmpty()) {
            response.setHeader(RequestStart.ID_HEADER, id);
        }
        send(response);
    }

    /** Sends this as {@code response}, to which nothing has been written yet. */
    void send(HttpServletResponse response) throws IOException {
        if (header != null) {
            response.setHeader(header, value);
        }
        if (closes) {
            response.setHeader("Connection", "close");
        }
        response.setStatus(code.status());
        response.setContentType("application/json");
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    /** Sends this as {@code response}, to which nothing has been written yet, and completes its {@code exchange}. */
    void complete(AsyncContext exchange, HttpServletResponse response) {
        try {
            send(response);
            // Some servers disconnect after a broken body without sending the buffer. And if Open Liberty itself has to
            // close a response whose sender has disconnected, it logs an error.
            response.getOutputStream().close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "Sender disconnected before the error response was sent", e);
        } finally {
            exchange.complete();
        }
    }

    /** The form of this response that a JAX-RS resource returns. */
    Response response() {
        Response.ResponseBuilder response =
                Response.status(code.status()).entity(body).type(MediaType.APPLICATION_JSON_TYPE);
        return header == null
                ? response.build()
                : response.header(header, value).build();
    }

    /** The 429 response for a client that may try again after {@code seconds}, 1 or more. */
    static FixedErrorResponse throttled(long seconds) {
        return retryable(
                ErrorCode.THROTTLED,
                "Too many failed attempts from this client. Wait, and send the right hook token.",
                seconds);
    }

    /** The 429 response for a client that may log in again after {@code seconds}, 1 or more. */
    static FixedErrorResponse loginsThrottled(long seconds) {
        return retryable(
                ErrorCode.THROTTLED,
                "Too many logins have failed. Wait, and send the right name and password.",
                seconds);
    }

    /** The 429 response for a sender that may send its next request after {@code seconds}, 1 or more. */
    static FixedErrorResponse rateLimited(long seconds) {
        return retryable(ErrorCode.RATE_LIMITED, "This sender has used up its rate. Nothing was accepted.", seconds);
    }

    /**
     * The 413 response for a body that is larger than {@code limit} allows.
     *
     * @param bytes the announced size; {@link Long#MAX_VALUE} where it is not known
     */
    static FixedErrorResponse tooLarge(BodyLimit limit, long bytes) {
        String size = bytes == Long.MAX_VALUE ? "is larger than" : "has " + bytes + " bytes, more than";
        return closing(
                ErrorCode.PAYLOAD_TOO_LARGE,
                "The body " + size + " the " + limit.maxBytes() + " bytes that are taken here"
                        + inBrackets(limit.maxBytesSetting()) + ".");
    }

    /** The 413 response for a body whose content is larger than {@code limit} allows. */
    static FixedErrorResponse contentTooLarge(BodyLimit limit) {
        return of(
                ErrorCode.PAYLOAD_TOO_LARGE,
                "The content of the body is larger than the " + limit.maxBytes() + " bytes that are taken here"
                        + inBrackets(limit.maxBytesSetting()) + ".");
    }

    /** The 408 response for a body that did not arrive in the time that {@code limit} allows. */
    static FixedErrorResponse late(BodyLimit limit) {
        return closing(
                ErrorCode.BODY_TIMEOUT,
                "The body did not arrive within " + limit.timeout().toSeconds() + " s"
                        + inBrackets(limit.timeoutSetting()) + ".");
    }

    private static String inBrackets(String setting) {
        return setting.isEmpty() ? "" : " (" + setting + ")";
    }

    private static FixedErrorResponse of(ErrorCode code, String sentence) {
        return new FixedErrorResponse(code, sentence, null, null, null, false);
    }

    private static FixedErrorResponse of(ErrorCode code, String sentence, String header, String value) {
        return new FixedErrorResponse(code, sentence, null, header, value, false);
    }

    /** A response to a request that may be sent again after {@code seconds}. */
    private static FixedErrorResponse retryable(ErrorCode code, String sentence, long seconds) {
        return of(code, sentence, "Retry-After", Long.toString(seconds));
    }

    private static FixedErrorResponse overloaded(String sentence) {
        return new FixedErrorResponse(ErrorCode.OVERLOADED, sentence, null, "Retry-After", "5", true);
    }

    private static FixedErrorResponse closing(ErrorCode code, String sentence) {
        return new FixedErrorResponse(code, sentence, null, null, null, true);
    }
}
