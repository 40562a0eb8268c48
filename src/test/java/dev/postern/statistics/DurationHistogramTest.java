package dev.postern.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DurationHistogramTest {

    private static final double ROUNDING = 1e-9;

    @Test
    void hasNoPercentileWithoutDurations() {
        assertThat(new DurationHistogram().percentile(0.5)).isNull();
        assertThat(new DurationHistogram().text()).isEmpty();
    }

    @Test
    void countsImpossibleDurationsInTheFirstAndLastBucket() {
        DurationHistogram histogram = new DurationHistogram();
        histogram.add(-5);
        histogram.add(Long.MAX_VALUE);

        assertThat(histogram.text()).isEqualTo("0:1 127:1");
    }

    @Test
    void estimatesEachPercentileWithinTheStatedError() {
        Random random = new Random(22);
        for (int round = 0; round < 500; round++) {
            DurationHistogram histogram = new DurationHistogram();
            long[] micros = new long[1 + random.nextInt(200)];
            for (int i = 0; i < micros.length; i++) {
                micros[i] = Math.round(Math.exp(random.nextDouble() * Math.log(3.6e9)));
                histogram.add(micros[i]);
            }
            Arrays.sort(micros);
            for (double share : new double[] {0.01, 0.5, 0.95, 1}) {
                long exact = micros[Math.max(1, (int) Math.ceil(share * micros.length)) - 1];

                assertThat((double) estimate(histogram, share))
                        .as("%s of %s", share, Arrays.toString(micros))
                        .isCloseTo((double) exact, within(0.5 + exact * (DurationHistogram.LARGEST_ERROR + ROUNDING)));
            }
        }
    }

    @Test
    void keepsItsCountsAsText() {
        Random random = new Random(23);
        DurationHistogram one = new DurationHistogram();
        DurationHistogram other = new DurationHistogram();
        DurationHistogram both = new DurationHistogram();
        for (int i = 0; i < 1_000; i++) {
            long micros = random.nextLong(1L << (1 + random.nextInt(30)));
            (i % 3 == 0 ? one : other).add(micros);
            both.add(micros);
        }

        DurationHistogram read = new DurationHistogram();
        read.addText(one.text());
        read.addText("");
        read.addText(other.text());

        assertThat(read.text()).isEqualTo(both.text());
        assertThat(read.percentile(0.95)).isEqualTo(both.percentile(0.95));
    }

    private static long estimate(DurationHistogram histogram, double share) {
        Long estimate = histogram.percentile(share);
        assertThat(estimate).isNotNull();
        return estimate;
    }
}
