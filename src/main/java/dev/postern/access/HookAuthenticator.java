package dev.postern.access;

import dev.postern.access.AuthenticationResult.Admitted;
import dev.postern.config.SenderSettings;
import dev.postern.model.Secret;
import java.security.MessageDigest;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An authenticator of hook requests, by token or signature. A failure costs a hash and a table lookup: it throws
 * nothing, logs nothing and reads no body. Thread-safe.
 */
public final class HookAuthenticator {

    private static final AuthenticationResult ADMITTED = new Admitted(null);

    private final TokenExtractor tokenExtractor;
    private final HookTokens tokens;
    private final AuthenticationFailures failures;
    private final InstantSource clock;

    /**
     * Creates an authenticator that accepts {@code tokens}, and those of {@code senders} that are active.
     *
     * @param tokens the tokens that open every hook; an empty one is never accepted
     * @param senders the senders with tokens of their own
     * @param tokenHeaders the headers that may carry a token beside {@code Authorization} and {@code x-service-token}
     * @param failures counts the requests that have neither a right token nor a right signature
     * @param clock the current time, with which tokens expire
     */
    public HookAuthenticator(
            List<Secret> tokens,
            Collection<SenderSettings> senders,
            List<String> tokenHeaders,
            AuthenticationFailures failures,
            InstantSource clock) {
        this.tokenExtractor = new TokenExtractor(tokenHeaders);
        this.tokens = new HookTokens(tokens, senders, MessageDigest::isEqual);
        this.failures = failures;
        this.clock = clock;
    }

    /**
     * Authenticates a request by its token. {@code Authorization: Bearer} decides if it is present, else the first
     * token header that is. No token is a failure; so is a token header that is sent twice or is longer than 8 KiB. The
     * right token is accepted even during a lock-out, which continues for wrong ones. The token of a sender that is disabled
     * or expired is a wrong one.
     *
     * @param remoteAddress the sender's address as the container gives it; null counts as the same client as every
     *     unreadable address
     * @param headerLookup the request's {@code getHeaders}
     */
    public AuthenticationResult authenticate(@Nullable String remoteAddress, HeaderLookup headerLookup) {
        String presented = tokenExtractor.token(headerLookup);
        HookTokens.@Nullable Entry token = presented == null ? null : tokens.find(presented);
        @Nullable SenderSettings sender = token == null ? null : token.sender();
        if (sender != null && sender.isActive(clock.instant())) {
            return new Admitted(sender);
        }
        FailureKind kind = tokenExtractor.isPresent(headerLookup) ? FailureKind.WRONG_TOKEN : FailureKind.NO_TOKEN;
        return judged(remoteAddress, token != null && sender == null, kind);
    }

    /**
     * Whether a request presents a token, right or wrong. {@code Authorization} with a scheme other than {@code Bearer}
     * is not a token. A token header that is sent twice or is too long counts as one, since {@link #authenticate} rejects it.
     */
    public boolean presentsToken(HeaderLookup headerLookup) {
        return tokenExtractor.isPresent(headerLookup);
    }

    /**
     * Authenticates a request by the result of its {@link SignatureVerifier}. The right signature is accepted even
     * during a lock-out, which continues for wrong ones.
     *
     * @param verified whether the signature is right
     */
    public AuthenticationResult authenticateSignature(@Nullable String remoteAddress, boolean verified) {
        return judged(remoteAddress, verified, FailureKind.SIGNATURE);
    }

    /**
     * Rejects a request without the signature that it needs, before its body is read. It counts like any other failure.
     */
    public AuthenticationResult rejectUnsigned(@Nullable String remoteAddress) {
        return judged(remoteAddress, false, FailureKind.SIGNATURE);
    }

    private AuthenticationResult judged(@Nullable String remoteAddress, boolean credible, FailureKind kind) {
        return credible ? ADMITTED : failures.recordFailure(ClientKey.of(remoteAddress), kind);
    }
}
