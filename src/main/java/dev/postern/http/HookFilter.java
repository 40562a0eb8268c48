package dev.postern.http;

import dev.postern.access.AuthenticationResult;
import dev.postern.access.HookAuthenticator;
import dev.postern.access.SignatureVerifier;
import dev.postern.model.SignedContent;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Stands before every hook and lets through only a request that was admitted and whose body has arrived. The checks, in
 * order, the first that fails answers: a token in the query, the method, the token, the path, the body's size, coding and
 * time, and where the sender signs instead of sending a token, the signature. A request that is refused is not read, but
 * for one whose signature is wrong.
 *
 * <p>Any stranger can say that it has signed, and only the whole body shows whether it has. So the bodies of those who
 * send no token share a bounded part of the memory; past it the answer is 503. A lock-out does not keep them from being
 * read, as it keeps no right token out: whoever fails behind the same address as a sender of ours would shut it out.
 */
public final class HookFilter implements Filter {

    private static final byte[] NO_BODY = {};

    private final String hookPath;
    private final HookAuthenticator hookAuthenticator;
    private final Map<String, SignatureVerifier> signatures;
    private final Set<String> credentials;
    private final BodyLimits bounds;
    private final BodyReader bodyReader;
    private final ResponseRecorder responseRecorder;

    /**
     * Makes the filter of {@code hookPath}.
     *
     * @param hookPath as configured, inside the context: begins with a slash and ends without one
     * @param signatures by the hooks whose senders may sign
     * @param credentials the headers that carry secrets, lower case: no mapping gets to see them
     * @param bounds how much of a body each hook takes
     * @param bodyReader reads them
     */
    public HookFilter(
            String hookPath,
            HookAuthenticator hookAuthenticator,
            Map<String, SignatureVerifier> signatures,
            Set<String> credentials,
            BodyLimits bounds,
            BodyReader bodyReader,
            ResponseRecorder responseRecorder) {
        this.hookPath = hookPath;
        this.hookAuthenticator = hookAuthenticator;
        this.signatures = Map.copyOf(signatures);
        this.credentials = Set.copyOf(credentials);
        this.bounds = bounds;
        this.bodyReader = bodyReader;
        this.responseRecorder = responseRecorder;
    }

    @Override
    public void doFilter(ServletRequest servletRequest, ServletResponse servletResponse, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest request = (HttpServletRequest) servletRequest;
        HttpServletResponse response = (HttpServletResponse) servletResponse;
        if (SlowBodyReader.resume(request, response, chain, responseRecorder)) {
            return;
        }
        PageSender.guard(response);
        HookPath path = HookPath.of(request, request.getContextPath() + hookPath);
        RequestStart.begin(request, path);
        @Nullable SignatureVerifier due = signatureDue(path, request);
        boolean byToken = due == null || hookAuthenticator.presentsToken(request::getHeaders);
        @Nullable FixedErrorResponse fixedErrorResponse = admissionFault(request, path, byToken, due);
        if (fixedErrorResponse != null) {
            bodyReader.refuse(fixedErrorResponse, request, response);
        } else if (request.getMethod().equals("GET")) {
            bodyReader.ignore(
                    request, response, (asked, answer) -> chain.doFilter(new JerseyRequest(request, NO_BODY), answer));
        } else {
            Function<byte[], AdmissionResult> judge = bytes -> judge(request, path.hook(), due, bytes);
            bodyReader.take(request, response, chain, bounds.limit(path.hook(), byToken), judge);
        }
    }

    /** What becomes of a request whose body is here: it is passed on, once it is signed where it has to be. */
    private AdmissionResult judge(
            HttpServletRequest request, String hook, @Nullable SignatureVerifier due, byte[] body) {
        @Nullable SignedContent signed = null;
        if (due != null) {
            Optional<SignedContent> content = due.verified(request::getHeaders, body);
            @Nullable
            FixedErrorResponse fixedErrorResponse = refusal(
                    hookAuthenticator.admitVerified(request.getRemoteAddr(), content.isPresent()),
                    FixedErrorResponse.SIGNATURE_INVALID);
            if (fixedErrorResponse != null) {
                return fixedErrorResponse;
            }
            signed = content.orElseThrow();
        }
        boolean bySignature = signed != null && !hookAuthenticator.presentsToken(request::getHeaders);
        return new AdmittedRequest(request, hook, body, signed, bySignature, credentials);
    }

    /** The signature that has to be right, when the body is here, for this request to be let in; null where a token does. */
    private @Nullable SignatureVerifier signatureDue(HookPath path, HttpServletRequest request) {
        @Nullable SignatureVerifier signature = signatures.get(path.hook());
        return signature != null && (signature.required() || !hookAuthenticator.presentsToken(request::getHeaders))
                ? signature
                : null;
    }

    /**
     * Why a request is not let in, as far as can be told before its body is read.
     *
     * @param byToken whether its token decides, perhaps together with a signature
     */
    private @Nullable FixedErrorResponse admissionFault(
            HttpServletRequest request, HookPath path, boolean byToken, @Nullable SignatureVerifier due) {
        if (QueryStringParser.hasToken(request.getQueryString())) {
            return FixedErrorResponse.QUERY_TOKEN;
        }
        if (!request.getMethod().equals(path.isRun() ? "GET" : "POST")) {
            return path.isRun() ? FixedErrorResponse.ONLY_GET : FixedErrorResponse.ONLY_POST;
        }
        @Nullable FixedErrorResponse fixedErrorResponse = null;
        if (byToken) {
            fixedErrorResponse = refusal(
                    hookAuthenticator.admit(request.getRemoteAddr(), request::getHeaders),
                    FixedErrorResponse.UNAUTHORIZED);
        }
        if (fixedErrorResponse == null && due != null && !due.isPresent(request::getHeaders)) {
            fixedErrorResponse = refusal(
                    hookAuthenticator.refuseUnsigned(request.getRemoteAddr()), FixedErrorResponse.SIGNATURE_INVALID);
        }
        if (fixedErrorResponse != null) {
            return fixedErrorResponse;
        }
        return path.hook().isEmpty() ? FixedErrorResponse.NOT_FOUND : null;
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
