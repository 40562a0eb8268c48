package dev.postern.statistics;

import org.jspecify.annotations.Nullable;

/**
 * A histogram of durations in buckets that grow by a fourth of an octave, from which percentiles are estimated. An estimate
 * differs from the true duration by at most {@link #LARGEST_ERROR}. It is for one thread at a time.
 */
public final class DurationHistogram {

    /** The largest error of an estimate, relative to the true duration: half a bucket, as a factor. */
    public static final double LARGEST_ERROR = Math.pow(2, 1.0 / 8) - 1;

    private static final int PER_OCTAVE = 4;

    /** The buckets reach to more than an hour; the last one takes all that is longer. */
    private static final int BUCKETS = 32 * PER_OCTAVE;

    private static final double OCTAVE = Math.log(2);

    private final long[] counts = new long[BUCKETS];
    private long total;

    /** Adds a duration in microseconds; less than 1 counts as 1. */
    void add(long micros) {
        int bucket = (int) (PER_OCTAVE * Math.log((double) Math.max(1, micros)) / OCTAVE);
        counts[Math.min(bucket, BUCKETS - 1)]++;
        total++;
    }

    /** Adds all durations of {@code other}. */
    void add(DurationHistogram other) {
        for (int i = 0; i < BUCKETS; i++) {
            counts[i] += other.counts[i];
        }
        total += other.total;
    }

    /**
     * The estimated duration, in microseconds, within which a share of the durations lies.
     *
     * @param share more than 0, at most 1
     * @return null if there are no durations
     */
    public @Nullable Long percentile(double share) {
        long rank = Math.max(1, (long) Math.ceil(share * total));
        long passed = 0;
        for (int i = 0; i < BUCKETS; i++) {
            passed += counts[i];
            if (passed >= rank) {
                return Math.round(Math.pow(2, (i + 0.5) / PER_OCTAVE));
            }
        }
        return null;
    }

    /** Adds the durations of a text that {@link #text} has made. */
    void addText(String text) {
        int bucket = 0;
        long number = 0;
        for (int i = 0; i <= text.length(); i++) {
            char next = i < text.length() ? text.charAt(i) : ' ';
            if (next == ':') {
                bucket = (int) number;
                number = 0;
            } else if (next == ' ') {
                counts[bucket] += number;
                total += number;
                number = 0;
            } else {
                number = 10 * number + (next - '0');
            }
        }
    }

    /** The counts as text: {@code bucket:count} for each bucket that is not empty, separated by spaces. */
    String text() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < BUCKETS; i++) {
            if (counts[i] > 0) {
                text.append(text.isEmpty() ? "" : " ").append(i).append(':').append(counts[i]);
            }
        }
        return text.toString();
    }
}
