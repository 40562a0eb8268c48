package dev.postern.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.store.SqlDialect;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeLeaseTest {

    private static final Duration LENGTH = Duration.ofSeconds(7);
    private static final Duration SILENCE = Duration.ofSeconds(8);
    private static final Duration BETWEEN = Duration.ofSeconds(2);

    /** The number of checks after which the last begins after the silence, counted from the first. */
    private static final int ENOUGH = 5;

    private final SettableNanoClock time = new SettableNanoClock();
    private final NodeLease lease =
            new NodeLease("node_me", new NodeProgram("1", 8), LENGTH, SILENCE, time, time::nanos);

    @Test
    void isOverSoLongAfterTheBeginningOfTheLastRenewal() {
        lease.lasts(SqlDialect.POSTGRESQL, lease.nanos());
        time.advance(LENGTH.minusNanos(1));
        assertThat(lease.expiryReason()).isEmpty();

        time.advance(Duration.ofNanos(1));
        assertThat(lease.expiryReason()).contains("a database that was away too long");

        lease.lasts(SqlDialect.POSTGRESQL, lease.nanos() - 1);
        assertThat(lease.expiryReason()).isEmpty();
    }

    @Test
    void isNeverOverWhereTheHomeIsThisNodesAlone() {
        lease.lasts(SqlDialect.SQLITE, lease.nanos());
        time.advance(Duration.ofDays(1));

        assertThat(lease.expiryReason()).isEmpty();
    }

    @Test
    void declaresNoNodeDeadThatRenewsItsRow() {
        for (long said = 1; said < 100; said++) {
            assertThat(looks(ENOUGH - 1, Map.of("node_other", said))).isEmpty();
        }
    }

    @Test
    void declaresNoNodeDeadAfterALongOutage() {
        assertThat(looks(ENOUGH - 1, Map.of("node_other", 1L))).isEmpty();
        lease.missed();

        assertThat(looks(ENOUGH - 1, Map.of("node_other", 1L))).isEmpty();
        assertThat(looks(1, Map.of("node_other", 2L))).isEmpty();
    }

    @Test
    void declaresNoNodeDeadAtOnceAfterItsOwnPause() {
        Map<String, Long> others = Map.of("node_other", 1L);
        assertThat(looks(1, others)).isEmpty();
        time.advance(Duration.ofMinutes(1));

        assertThat(looks(NodeLease.LOOKS - 1, others)).isEmpty();
    }

    @Test
    void countsNoTimeInWhichALookWasUnderWay() {
        Map<String, Long> others = Map.of("node_other", 1L);
        long begunAt = lease.nanos();
        for (int i = 0; i <= NodeLease.LOOKS; i++) {
            time.advance(SILENCE);
            assertThat(lease.dead(SqlDialect.POSTGRESQL, others, begunAt)).isEmpty();
        }
    }

    @Test
    void takesForDeadWhoSaysNothingForSoLongWhateverHisClock() {
        Map<String, Long> silent = Map.of("ahead", Long.MAX_VALUE, "behind", 0L);
        assertThat(looks(ENOUGH - 1, silent)).isEmpty();

        assertThat(looks(1, silent)).isEqualTo(silent);
    }

    @Test
    void takesForDeadAfterAnOutageWhoSaysNothingSince() {
        looks(ENOUGH - 1, Map.of("node_other", 1L));
        lease.missed();
        looks(ENOUGH - 1, Map.of("node_other", 1L));

        assertThat(looks(1, Map.of("node_other", 1L))).containsOnlyKeys("node_other");
    }

    @Test
    void takesEverybodyElseForDeadWhereTheHomeBelongsToOneProcess() {
        assertThat(lease.dead(SqlDialect.SQLITE, Map.of("node_before", 1L), lease.nanos()))
                .containsOnlyKeys("node_before");
    }

    /** The dead nodes in the last of {@code count} checks, each of which takes a moment. */
    private Map<String, Long> looks(int count, Map<String, Long> others) {
        Map<String, Long> dead = Map.of();
        for (int i = 0; i < count; i++) {
            assertThat(dead).isEmpty();
            long begunAt = lease.nanos();
            time.advance(Duration.ofMillis(1));
            dead = lease.dead(SqlDialect.POSTGRESQL, others, begunAt);
            time.advance(BETWEEN);
        }
        return dead;
    }
}
