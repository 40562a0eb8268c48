package dev.postern.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PaceTest {

    private static final Pace PACE = Pace.NORMAL;

    @Test
    void findsNobodyDeadBeforeTheEndOfHisLease() {
        assertThat(PACE.renew().multipliedBy(PACE.looks())).isGreaterThan(PACE.lease());
    }

    /** What is left of the 15 seconds is for the database, and for taking over. */
    @Test
    void findsWhoFellSilentRightAfterARenewalWithinTwelveSeconds() {
        assertThat(PACE.renew().multipliedBy(1 + PACE.looks())).isLessThanOrEqualTo(Duration.ofSeconds(12));
    }
}
