package dev.postern.access;

import dev.postern.access.Admission.Admitted;
import dev.postern.model.Secret;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lets in who presents a token or a signature, and nobody else. A refusal costs a hash and a look into a table: it throws nothing, logs
 * nothing and reads no body. Safe for use by many threads.
 */
public final class Gate {

    private static final Admission ADMITTED = new Admitted();

    private final TokenCarriers carriers;
    private final KnownTokens tokens;
    private final ClientFailures failures;

    /**
     * A gate that knows {@code tokens}.
     *
     * @param tokens any of them is let in; with none, nobody is, and an empty one lets nobody in
     * @param tokenHeaders headers that may carry a token beside {@code Authorization} and {@code x-service-token}
     * @param failures counts who shows neither
     */
    public Gate(List<Secret> tokens, List<String> tokenHeaders, ClientFailures failures) {
        this.carriers = new TokenCarriers(tokenHeaders);
        this.tokens = new KnownTokens(tokens);
        this.failures = failures;
    }

    /**
     * Judges a request by the token it presents. {@code Authorization: Bearer} decides when it is there, else the first
     * token header that is; a carrier that is sent twice or is longer than 8 KiB is a failure, and so is no token at all.
     * The right token is let in even during a lock-out, which goes on for the wrong ones.
     *
     * @param remoteAddress the sender's, as the container has it; null counts as one client with every unreadable one
     * @param headers the request's {@code getHeaders}
     */
    public Admission admit(@Nullable String remoteAddress, Headers headers) {
        String presented = carriers.presented(headers);
        return judged(remoteAddress, presented != null && tokens.include(presented));
    }

    /**
     * Whether a request presents a token at all, right or wrong. {@code Authorization} of a scheme other than
     * {@code Bearer} is no token; a carrier that is sent twice or is too long is one, since {@link #admit} refuses it.
     */
    public boolean presentsToken(Headers headers) {
        return carriers.anyIn(headers);
    }

    /**
     * Judges a request by its {@link Signature}, which somebody else has looked at. The right one is let in even during a lock-out,
     * which goes on for the wrong ones.
     *
     * @param verified whether it was right
     */
    public Admission admitVerified(@Nullable String remoteAddress, boolean verified) {
        return judged(remoteAddress, verified);
    }

    /** Refuses a request that lacks the signature it needs, before its body is read; a failure like any other. */
    public Admission refuseUnsigned(@Nullable String remoteAddress) {
        return judged(remoteAddress, false);
    }

    private Admission judged(@Nullable String remoteAddress, boolean credible) {
        return credible ? ADMITTED : failures.failed(Client.of(remoteAddress));
    }
}
