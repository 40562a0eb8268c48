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

/** The metrics of the mail watcher since the start of this node, and its state. Safe for use by many threads. */
public final class MailMetrics {

    private final InstantSource clock;
    private final LongAdder handled = new LongAdder();
    private final LongAdder repeated = new LongAdder();
    private final LongAdder connections = new LongAdder();
    private final Map<MailSkipReason, LongAdder> skipped = new ConcurrentHashMap<>();
    private volatile @Nullable Instant last;
    private volatile @Nullable MailSkipReason lastSkip;
    private volatile WatcherStatus status;
    /** Reason why the last handled mail was not marked or moved; null if it was. */
    private volatile @Nullable MarkFailure unmarked;

    /** The state of the watcher, and the time since when it holds. */
    private record WatcherStatus(State state, String words, Instant since) {

        @Override
        public String toString() {
            return words + " since " + since.truncatedTo(ChronoUnit.SECONDS);
        }
    }

    /** The possible states of the watcher. */
    private enum State {
        WATCHING,
        STANDING_BY,
        AWAY
    }

    MailMetrics(InstantSource clock) {
        this.clock = clock;
        this.status = new WatcherStatus(State.STANDING_BY, "has not begun", clock.instant());
    }

    /** Number of mails whose hook request was accepted. */
    public long handled() {
        return handled.sum();
    }

    /** Number of mails that were accepted before. */
    public long repeated() {
        return repeated.sum();
    }

    /** Number of mails that were skipped for the reason {@code skip}. */
    public long skipped(MailSkipReason skip) {
        return Stream.ofNullable(skipped.get(skip)).mapToLong(LongAdder::sum).sum();
    }

    /** Number of connections that were opened. */
    public long connections() {
        return connections.sum();
    }

    /** Whether this node is connected and reads. */
    public boolean isWatching() {
        return status.state() == State.WATCHING;
    }

    /** Time when the last mail was handled. */
    public Optional<Instant> last() {
        return Optional.ofNullable(last);
    }

    /** Reason why the last skipped mail was skipped. */
    public Optional<MailSkipReason> lastSkip() {
        return Optional.ofNullable(lastSkip);
    }

    /** The state of the watcher in a few words, and the time since when it holds. */
    public String status() {
        return status.toString();
    }

    /** The state of the watcher for the operator; never "down", because hook requests are accepted without it. */
    public HealthCheck check() {
        WatcherStatus now = status;
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
        changeStatus(
                State.WATCHING, idles ? "is told of new mail by the server" : "looks for new mail again and again");
    }

    void standingBy() {
        changeStatus(State.STANDING_BY, "another node watches");
    }

    void pausing() {
        changeStatus(State.STANDING_BY, "looks who watches");
    }

    /** Records that the mailbox can't be watched; false if that was recorded before. */
    boolean away(MailException.Kind why) {
        return changeStatus(State.AWAY, why.words() + " (the log says more)");
    }

    /**
     * Records whether a handled mail was marked or moved.
     *
     * @param failure null if it was
     * @return false if the same was recorded before
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

    private boolean changeStatus(State state, String words) {
        WatcherStatus before = status;
        boolean news = before.state() != state || !before.words().equals(words);
        if (news) {
            status = new WatcherStatus(state, words, clock.instant());
        }
        return news;
    }
}
