package dev.postern.http;

import dev.postern.access.AuthenticationResult;
import dev.postern.access.BodyLimit;
import dev.postern.access.HookAuthenticator;
import dev.postern.access.SenderDecision;
import dev.postern.access.SenderGuard;
import dev.postern.access.SignatureResult;
import dev.postern.access.SignatureVerifier;
import dev.postern.config.CredentialHeaders;
import dev.postern.config.SenderSettings;
import dev.postern.model.IdGenerator;
import dev.postern.model.RequestOrigin;
import dev.postern.model.SignedContent;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.UnavailableException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A filter before every hook that lets through only requests that were admitted and whose body has arrived. The first
 * check that fails determines the response. The checks are, in order: a token in the query, the method, the token, the
 * sender's hooks and rate, the path, and the body's size, coding and time. If the sender signs instead of sending a
 * token, the signature comes last. The body of a rejected request is not read, except for one with a wrong signature.
 *
 * <p>Anyone can claim to have signed, and only the whole body shows whether it is true. So the bodies of senders
 * without a token share a bounded part of the memory; beyond it the response is 503. Their bodies are read even during
 * a lock-out, and the right token is accepted even then. Otherwise a client that fails at the same address as a
 * configured sender would shut that sender out.
 */
public final class HookFilter implements Filter {

    private static final byte[] NO_BODY = {};
    private static final String TOKEN = "token";
    private static final String SIGNATURE = "signature";

    private final String hookPath;
    private final HookAuthenticator hookAuthenticator;
    private final SenderGuard senderGuard;
    private final Map<String, SignatureVerifier> signatures;
    private final CredentialHeaders credentials;
    private final BodyLimits bounds;
    private final BodyReader bodyReader;
    private final ResponseRecorder responseRecorder;
    private final IdGenerator idGenerator;

    /**
     * Creates the filter of {@code hookPath}.
     *
     * @param hookPath the configured path inside the context; it begins with a slash and ends without one
     * @param senderGuard bounds what senders with tokens of their own may send
     * @param signatures the verifiers of the hooks whose senders may sign, by hook
     * @param credentials the headers that carry secrets; no mapping sees them
     * @param bounds the limits of bodies, by hook
     * @param bodyReader reads the bodies
     */
    public HookFilter(
            String hookPath,
            HookAuthenticator hookAuthenticator,
            SenderGuard senderGuard,
            Map<String, SignatureVerifier> signatures,
            CredentialHeaders credentials,
            BodyLimits bounds,
            BodyReader bodyReader,
            ResponseRecorder responseRecorder,
            IdGenerator idGenerator) {
        this.hookPath = hookPath;
        this.hookAuthenticator = hookAuthenticator;
        this.senderGuard = senderGuard;
        this.signatures = Map.copyOf(signatures);
        this.credentials = credentials;
        this.bounds = bounds;
        this.bodyReader = bodyReader;
        this.responseRecorder = responseRecorder;
        this.idGenerator = idGenerator;
    }

    @Override
    public void doFilter(ServletRequest servletRequest, ServletResponse servletResponse, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest request = (HttpServletRequest) servletRequest;
        HttpServletResponse response = (HttpServletResponse) servletResponse;
        if (SlowBodyReader.resume(request, response, chain, responseRecorder)) {
            return;
        }
        PageSender.setSecurityHeaders(response);
        HookPath path = HookPath.of(request, request.getContextPath() + hookPath);
        RequestStart.begin(request, path);
        @Nullable SignatureVerifier due = requiredSignature(path, request);
        boolean byToken = due == null || hookAuthenticator.presentsToken(request::getHeaders);
        @Nullable FixedErrorResponse fixedErrorResponse = admissionError(request, path, byToken, due);
        Optional.ofNullable(RequestStart.of(request).origin())
                .ifPresent(origin -> response.setHeader(RequestStart.ID_HEADER, origin.requestId()));
        if (fixedErrorResponse != null) {
            bodyReader.sendError(fixedErrorResponse, request, response);
        } else if (request.getMethod().equals("GET")) {
            bodyReader.ignore(request, response, (asked, answer) -> passLookup(request, response, chain));
        } else {
            BodyLimit limit = bounds.limit(path.hook(), byToken);
            Function<byte[], AdmissionResult> judge = bytes -> judge(request, path.hook(), due, bytes, limit);
            bodyReader.take(request, response, chain, limit, judge);
        }
    }

    @Override
    public void destroy() {
        bodyReader.close();
    }

    private void passLookup(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        try {
            StoppingServerResponse.pass(chain, new JerseyRequest(request, NO_BODY), response);
        } catch (UnavailableException stopped) {
            FixedErrorResponse.STOPPED.carryOut(request, response, chain, responseRecorder);
        }
    }

    /**
     * Decides on a request whose body has arrived: it is passed on, after a check of the signature if it needs one. The
     * signature is of the body as sent; it is decompressed only after that.
     */
    private AdmissionResult judge(
            HttpServletRequest request, String hook, @Nullable SignatureVerifier due, byte[] body, BodyLimit limit) {
        @Nullable SignedContent signed;
        if (due != null) {
            SignatureResult result = due.verify(request::getHeaders, body);
            if (result instanceof SignatureResult.Undecided undecided) {
                RequestStart.explain(request, undecided.detail());
                FixedErrorResponse error = Objects.requireNonNull(refusal(
                        hookAuthenticator.authenticateSignature(request.getRemoteAddr(), false),
                        FixedErrorResponse.SIGNATURE_UNDECIDED));
                if (error == FixedErrorResponse.SIGNATURE_UNDECIDED) {
                    undecided.fetch().run();
                }
                return error;
            }
            if (result instanceof SignatureResult.Unconfirmed unconfirmed) {
                RequestStart.explain(request, unconfirmed.detail());
                return FixedErrorResponse.SIGNATURE_UNDECIDED;
            }
            if (result instanceof SignatureResult.Invalid invalid) {
                responseRecorder.recordSignature(invalid, request);
            }
            Optional<SignedContent> content = result.content();
            @Nullable
            FixedErrorResponse fixedErrorResponse = refusal(
                    hookAuthenticator.authenticateSignature(request.getRemoteAddr(), content.isPresent()),
                    FixedErrorResponse.SIGNATURE_INVALID);
            if (fixedErrorResponse != null) {
                return fixedErrorResponse;
            }
            signed = content.orElseThrow();
        } else {
            signed = null;
        }
        boolean bySignature = signed != null && !hookAuthenticator.presentsToken(request::getHeaders);
        RequestOrigin origin = due == null
                ? Objects.requireNonNull(RequestStart.of(request).origin())
                : RequestStart.admit(request, idGenerator.request(), SIGNATURE);
        Function<byte[], AdmissionResult> admitted =
                content -> new AdmittedRequest(request, hook, content, signed, bySignature, credentials, origin);
        return GzipContent.isIn(request, limit) ? GzipContent.decode(body, limit, admitted) : admitted.apply(body);
    }

    /** The verifier of the signature that this request needs, once its body has arrived; null if a token is enough. */
    private @Nullable SignatureVerifier requiredSignature(HookPath path, HttpServletRequest request) {
        @Nullable SignatureVerifier signature = signatures.get(path.hook());
        return signature != null && (signature.required() || !hookAuthenticator.presentsToken(request::getHeaders))
                ? signature
                : null;
    }

    /**
     * The error that keeps a request out, as far as is known before its body is read; null if there is none. A request whose
     * token is enough is admitted here.
     *
     * @param byToken whether its token decides, possibly together with a signature
     * @param due the verifier of the signature that the request needs; null if it needs none
     */
    private @Nullable FixedErrorResponse admissionError(
            HttpServletRequest request, HookPath path, boolean byToken, @Nullable SignatureVerifier due) {
        if (QueryStringParser.hasToken(request.getQueryString())) {
            return FixedErrorResponse.QUERY_TOKEN;
        }
        if (!request.getMethod().equals(path.isRun() ? "GET" : "POST")) {
            return path.isRun() ? FixedErrorResponse.ONLY_GET : FixedErrorResponse.ONLY_POST;
        }
        @Nullable FixedErrorResponse fixedErrorResponse = null;
        @Nullable SenderSettings sender = null;
        if (byToken) {
            AuthenticationResult result = hookAuthenticator.authenticate(request.getRemoteAddr(), request::getHeaders);
            sender = result instanceof AuthenticationResult.Admitted admitted ? admitted.sender() : null;
            if (sender != null) {
                RequestStart.identify(request, sender.id());
            }
            fixedErrorResponse = refusal(result, FixedErrorResponse.UNAUTHORIZED);
            if (fixedErrorResponse != null && due == null && !hookAuthenticator.presentsToken(request::getHeaders)) {
                signatureHeader(request)
                        .ifPresent(name ->
                                responseRecorder.recordSignature(SignatureVerifier.withoutSecret(name), request));
            }
        }
        if (fixedErrorResponse == null && due != null && !due.isPresent(request::getHeaders)) {
            responseRecorder.recordSignature(due.missing(), request);
            fixedErrorResponse = refusal(
                    hookAuthenticator.rejectUnsigned(request.getRemoteAddr()), FixedErrorResponse.SIGNATURE_INVALID);
        }
        if (fixedErrorResponse != null) {
            return fixedErrorResponse;
        }
        if (sender != null && !path.isRun() && !path.hook().isEmpty()) {
            fixedErrorResponse = limitError(senderGuard.decide(sender, path.hook()));
        }
        if (!path.isRun() && (due == null || fixedErrorResponse != null)) {
            RequestStart.admit(request, idGenerator.request(), TOKEN);
        }
        return path.hook().isEmpty() ? FixedErrorResponse.NOT_FOUND : fixedErrorResponse;
    }

    private static @Nullable FixedErrorResponse limitError(SenderDecision senderDecision) {
        if (senderDecision instanceof SenderDecision.RateExceeded exceeded) {
            return FixedErrorResponse.rateLimited(exceeded.retryAfterSeconds());
        }
        return senderDecision instanceof SenderDecision.HookDenied ? FixedErrorResponse.HOOK_NOT_ALLOWED : null;
    }

    /** The name of a header that holds a signature, or GitLab's secret; empty if the request has none. */
    private static Optional<String> signatureHeader(HttpServletRequest request) {
        return Collections.list(request.getHeaderNames()).stream()
                .filter(CredentialHeaders::isSignature)
                .findFirst();
    }

    private static @Nullable FixedErrorResponse refusal(
            AuthenticationResult authenticationResult, FixedErrorResponse refused) {
        if (authenticationResult instanceof AuthenticationResult.Admitted) {
            return null;
        }
        return authenticationResult instanceof AuthenticationResult.Throttled throttled
                ? FixedErrorResponse.throttled(throttled.retryAfterSeconds())
                : refused;
    }
}
