package dev.postern.mail;

import dev.postern.observe.HealthCheck;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the watch has done since the start of this node, and how it stands. Safe for use by many threads. */
public final class MailMetrics {

    private final InstantSource clock;
    private final LongAdder handled = new LongAdder();
    private final LongAdder repeated = new LongAdder();
    private final LongAdder connections = new LongAdder();
    private final Map<MailSkipReason, LongAdder> skipped = new ConcurrentHashMap<>();
    private volatile @Nullable Instant last;
    private volatile @Nullable MailSkipReason lastSkip;
    private volatile Standing standing;
    /** Why the last mail that was handled was not marked or moved; null where it was. */
    private volatile @Nullable MarkFailure unmarked;

    /** Where the watch stands, and since when. */
    private record Standing(State state, String words, Instant since) {

        @Override
        public String toString() {
            return words + " since " + since.truncatedTo(ChronoUnit.SECONDS);
        }
    }

    /** Where the watch can stand. */
    private enum State {
        WATCHING,
        STANDING_BY,
        AWAY
    }

    MailMetrics(InstantSource clock) {
        this.clock = clock;
        this.standing = new Standing(State.STANDING_BY, "has not begun", clock.instant());
    }

    /** Mails whose hook was accepted. */
    public long handled() {
        return handled.sum();
    }

    /** Mails that were known already. */
    public long repeated() {
        return repeated.sum();
    }

    /** Mails that asked for nothing, for {@code skip}. */
    public long skipped(MailSkipReason skip) {
        return Stream.ofNullable(skipped.get(skip)).mapToLong(LongAdder::sum).sum();
    }

    /** How often a connection came about. */
    public long connections() {
        return connections.sum();
    }

    /** Whether this node is connected and reads. */
    public boolean isWatching() {
        return standing.state() == State.WATCHING;
    }

    /** When the last mail was handled. */
    public Optional<Instant> last() {
        return Optional.ofNullable(last);
    }

    /** Why the last mail that asked for nothing did. */
    public Optional<MailSkipReason> lastSkip() {
        return Optional.ofNullable(lastSkip);
    }

    /** How the watch stands, in a few words, and since when. */
    public String standing() {
        return standing.toString();
    }

    /** How the watch stands, for the operator; requests can be taken whatever it is. */
    public HealthCheck check() {
        Standing now = standing;
        String since = now.toString();
        if (now.state() == State.AWAY) {
            return new HealthCheck.Impaired(since);
        }
        MarkFailure failure = unmarked;
        if (failure != null) {
            return new HealthCheck.Impaired(since + "; " + failure.words() + " (the log says more)");
        }
        Instant latest = last;
        MailSkipReason skip = lastSkip;
        long passed = skipped.values().stream().mapToLong(LongAdder::sum).sum();
        return new HealthCheck.Up(since
                + "; mails handled: " + handled()
                + (latest == null ? "" : ", the last at " + latest.truncatedTo(ChronoUnit.SECONDS))
                + "; skipped: " + passed
                + (skip == null ? "" : ", the last since " + skip.words()));
    }

    void watching(boolean idles) {
        connections.increment();
        stand(State.WATCHING, idles ? "is told of new mail by the server" : "looks for new mail again and again");
    }

    void standingBy() {
        stand(State.STANDING_BY, "another node watches");
    }

    void pausing() {
        stand(State.STANDING_BY, "looks who watches");
    }

    /** False where that is how it was before. */
    boolean away(MailException.Kind why) {
        return stand(State.AWAY, why.words() + " (the log says more)");
    }

    /**
     * Notes whether a mail that was handled was marked or moved.
     *
     * @param failure null where it was
     * @return false where that is how it was before
     */
    boolean marked(@Nullable MarkFailure failure) {
        boolean news = !Objects.equals(unmarked, failure);
        unmarked = failure;
        return news;
    }

    void handledOne() {
        handled.increment();
        last = clock.instant();
    }

    void repeatedOne() {
        repeated.increment();
    }

    void skippedOne(MailSkipReason skip) {
        skipped.computeIfAbsent(skip, first -> new LongAdder()).increment();
        lastSkip = skip;
    }

    private boolean stand(State state, String words) {
        Standing before = standing;
        boolean news = before.state() != state || !before.words().equals(words);
        if (news) {
            standing = new Standing(state, words, clock.instant());
        }
        return news;
    }
}
