package dev.postern.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DispatchIntervalsTest {

    private static final DispatchIntervals PACE = DispatchIntervals.NORMAL;

    @Test
    void declaresNoNodeDeadBeforeTheEndOfItsLease() {
        assertThat(PACE.silence()).isGreaterThan(PACE.lease());
    }

    /** The rest of the 15 seconds is left for the database and the recovery. */
    @Test
    void findsWhoFellSilentRightAfterARenewalWithinTwelveSeconds() {
        assertThat(PACE.silence().plus(PACE.renew().multipliedBy(2))).isLessThanOrEqualTo(Duration.ofSeconds(12));
        assertThat(PACE.renew().multipliedBy(NodeLease.LOOKS)).isLessThan(PACE.silence());
    }
}
