package dev.postern.access;

import dev.postern.access.Admission.Admitted;
import dev.postern.access.Admission.Refused;
import dev.postern.access.Admission.Throttled;
import dev.postern.model.Secret;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Lets in who presents a token or a signature, and nobody else. A refusal costs a hash and a look into a table: it throws nothing, logs
 * nothing and reads no body. Safe for use by many threads.
 */
public final class Gate {

    private static final Admission ADMITTED = new Admitted();
    private static final Admission REFUSED = new Refused();
    private static final long NANOS_PER_SECOND = Duration.ofSeconds(1).toNanos();

    private final TokenCarriers carriers;
    private final KnownTokens tokens;
    private final FailureThrottle throttle;
    private final LongAdder refused = new LongAdder();
    private final LongAdder throttled = new LongAdder();

    /**
     * A gate that knows {@code tokens}.
     *
     * @param tokens any of them is let in; with none, nobody is, and an empty one lets nobody in
     * @param tokenHeaders headers that may carry a token beside {@code Authorization} and {@code x-service-token}
     */
    public Gate(List<Secret> tokens, List<String> tokenHeaders, FailureThrottle throttle) {
        this.carriers = new TokenCarriers(tokenHeaders);
        this.tokens = new KnownTokens(tokens);
        this.throttle = throttle;
    }

    /**
     * Judges a request by the token it presents. {@code Authorization: Bearer} decides when it is there, else the first
     * token header that is; a carrier that is sent twice or is longer than 8 KiB is a failure, and so is no token at all.
     * The right token is let in even during a lock-out, and ends it.
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
     * Judges a request by a credential that somebody else has looked at: its {@link Signature}, or a user's password. The right
     * one is let in even during a lock-out, and ends it.
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
        long client = Client.of(remoteAddress);
        if (credible) {
            throttle.succeeded(client);
            return ADMITTED;
        }
        long leftNanos = throttle.failed(client);
        if (leftNanos > 0) {
            throttled.increment();
            return new Throttled((leftNanos + NANOS_PER_SECOND - 1) / NANOS_PER_SECOND);
        }
        refused.increment();
        return REFUSED;
    }

    /** Requests answered {@link Refused} so far. */
    public long refused() {
        return refused.sum();
    }

    /** Requests answered {@link Throttled} so far. */
    public long throttled() {
        return throttled.sum();
    }

    /** Clients locked out now; looks at the whole table (a millisecond at most), so not for each request. */
    public long lockedOutClients() {
        return throttle.lockedOutClients();
    }

    /**
     * Clients locked out now, those first that are so longest yet; where there are more than {@code most}, any of them. Looks
     * at the whole table, as {@link #lockedOutClients} does.
     */
    public List<LockedOut> lockedOut(int most) {
        List<LockedOut> found = new ArrayList<>();
        throttle.lockedOut(most)
                .forEach((client, left) -> found.add(new LockedOut(Client.text(client), Duration.ofNanos(left))));
        found.sort(Comparator.comparing(LockedOut::left).reversed().thenComparing(LockedOut::address));
        return found;
    }

    /**
     * Forgets the failures of a client, as if it had presented the right token.
     *
     * @param address as {@link LockedOut#address} has it, or any address that is counted for the same client
     * @return true when it was locked out; false when it was not, or {@code address} is none
     */
    public boolean unlock(String address) {
        OptionalLong client = Client.read(address);
        return client.isPresent() && throttle.succeeded(client.getAsLong());
    }

    /** Counts of failures that the table had no room for, since a flood of clients took it. */
    public long droppedCounts() {
        return throttle.dropped();
    }
}
