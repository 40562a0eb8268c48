package dev.postern.access;

import dev.postern.access.AuthenticationResult.Admitted;
import dev.postern.model.Secret;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lets in who presents a token or a signature, and nobody else. A refusal costs a hash and a look into a table: it throws nothing, logs
 * nothing and reads no body. Safe for use by many threads.
 */
public final class HookAuthenticator {

    private static final AuthenticationResult ADMITTED = new Admitted();

    private final TokenExtractor carriers;
    private final HookTokens tokens;
    private final AuthenticationFailures failures;

    /**
     * A gate that knows {@code tokens}.
     *
     * @param tokens any of them is let in; with none, nobody is, and an empty one lets nobody in
     * @param tokenHeaders headers that may carry a token beside {@code Authorization} and {@code x-service-token}
     * @param failures counts who shows neither
     */
    public HookAuthenticator(List<Secret> tokens, List<String> tokenHeaders, AuthenticationFailures failures) {
        this.carriers = new TokenExtractor(tokenHeaders);
        this.tokens = new HookTokens(tokens);
        this.failures = failures;
    }

    /**
     * Judges a request by the token it presents. {@code Authorization: Bearer} decides when it is there, else the first
     * token header that is; a carrier that is sent twice or is longer than 8 KiB is a failure, and so is no token at all.
     * The right token is let in even during a lock-out, which goes on for the wrong ones.
     *
     * @param remoteAddress the sender's, as the container has it; null counts as one client with every unreadable one
     * @param headerLookup the request's {@code getHeaders}
     */
    public AuthenticationResult admit(@Nullable String remoteAddress, HeaderLookup headerLookup) {
        String presented = carriers.presented(headerLookup);
        return judged(remoteAddress, presented != null && tokens.include(presented));
    }

    /**
     * Whether a request presents a token at all, right or wrong. {@code Authorization} of a scheme other than
     * {@code Bearer} is no token; a carrier that is sent twice or is too long is one, since {@link #admit} refuses it.
     */
    public boolean presentsToken(HeaderLookup headerLookup) {
        return carriers.anyIn(headerLookup);
    }

    /**
     * Judges a request by its {@link SignatureVerifier}, which somebody else has looked at. The right one is let in even during a lock-out,
     * which goes on for the wrong ones.
     *
     * @param verified whether it was right
     */
    public AuthenticationResult admitVerified(@Nullable String remoteAddress, boolean verified) {
        return judged(remoteAddress, verified);
    }

    /** Refuses a request that lacks the signature it needs, before its body is read; a failure like any other. */
    public AuthenticationResult refuseUnsigned(@Nullable String remoteAddress) {
        return judged(remoteAddress, false);
    }

    private AuthenticationResult judged(@Nullable String remoteAddress, boolean credible) {
        return credible ? ADMITTED : failures.failed(ClientKey.of(remoteAddress));
    }
}
