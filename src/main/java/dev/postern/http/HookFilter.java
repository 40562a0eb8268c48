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
    private final BodyBounds bounds;
    private final Bodies bodies;
    private final Answered answered;

    /**
     * Makes the filter of {@code hookPath}.
     *
     * @param hookPath as configured, inside the context: begins with a slash and ends without one
     * @param signatures by the hooks whose senders may sign
     * @param credentials the headers that carry secrets, lower case: no mapping gets to see them
     * @param bounds how much of a body each hook takes
     * @param bodies reads them
     */
    public HookFilter(
            String hookPath,
            HookAuthenticator hookAuthenticator,
            Map<String, SignatureVerifier> signatures,
            Set<String> credentials,
            BodyBounds bounds,
            Bodies bodies,
            Answered answered) {
        this.hookPath = hookPath;
        this.hookAuthenticator = hookAuthenticator;
        this.signatures = Map.copyOf(signatures);
        this.credentials = Set.copyOf(credentials);
        this.bounds = bounds;
        this.bodies = bodies;
        this.answered = answered;
    }

    @Override
    public void doFilter(ServletRequest servletRequest, ServletResponse servletResponse, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest request = (HttpServletRequest) servletRequest;
        HttpServletResponse response = (HttpServletResponse) servletResponse;
        if (SlowBody.resume(request, response, chain, answered)) {
            return;
        }
        Page.guard(response);
        HookPath path = HookPath.of(request, request.getContextPath() + hookPath);
        Sighting.begin(request, path);
        @Nullable SignatureVerifier due = signatureDue(path, request);
        boolean byToken = due == null || hookAuthenticator.presentsToken(request::getHeaders);
        @Nullable Refusal refusal = admissionFault(request, path, byToken, due);
        if (refusal != null) {
            bodies.refuse(refusal, request, response);
        } else if (request.getMethod().equals("GET")) {
            bodies.ignore(
                    request, response, (asked, answer) -> chain.doFilter(new JerseyRequest(request, NO_BODY), answer));
        } else {
            Function<byte[], Verdict> judge = bytes -> judge(request, path.hook(), due, bytes);
            bodies.take(request, response, chain, bounds.limit(path.hook(), byToken), judge);
        }
    }

    /** What becomes of a request whose body is here: it is passed on, once it is signed where it has to be. */
    private Verdict judge(HttpServletRequest request, String hook, @Nullable SignatureVerifier due, byte[] body) {
        @Nullable SignedContent signed = null;
        if (due != null) {
            Optional<SignedContent> content = due.verified(request::getHeaders, body);
            @Nullable
            Refusal refusal = refusal(
                    hookAuthenticator.admitVerified(request.getRemoteAddr(), content.isPresent()),
                    Refusal.SIGNATURE_INVALID);
            if (refusal != null) {
                return refusal;
            }
            signed = content.orElseThrow();
        }
        boolean bySignature = signed != null && !hookAuthenticator.presentsToken(request::getHeaders);
        return new Received(request, hook, body, signed, bySignature, credentials);
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
    private @Nullable Refusal admissionFault(
            HttpServletRequest request, HookPath path, boolean byToken, @Nullable SignatureVerifier due) {
        if (Query.hasToken(request.getQueryString())) {
            return Refusal.QUERY_TOKEN;
        }
        if (!request.getMethod().equals(path.isRun() ? "GET" : "POST")) {
            return path.isRun() ? Refusal.ONLY_GET : Refusal.ONLY_POST;
        }
        @Nullable Refusal refusal = null;
        if (byToken) {
            refusal = refusal(
                    hookAuthenticator.admit(request.getRemoteAddr(), request::getHeaders), Refusal.UNAUTHORIZED);
        }
        if (refusal == null && due != null && !due.isPresent(request::getHeaders)) {
            refusal = refusal(hookAuthenticator.refuseUnsigned(request.getRemoteAddr()), Refusal.SIGNATURE_INVALID);
        }
        if (refusal != null) {
            return refusal;
        }
        return path.hook().isEmpty() ? Refusal.NOT_FOUND : null;
    }

    private static @Nullable Refusal refusal(AuthenticationResult authenticationResult, Refusal refused) {
        if (authenticationResult instanceof AuthenticationResult.Admitted) {
            return null;
        }
        return authenticationResult instanceof AuthenticationResult.Throttled throttled
                ? Refusal.throttled(throttled.retryAfterSeconds())
                : refused;
    }
}
