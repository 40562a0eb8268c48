package dev.postern.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.store.Dialect;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeLeaseTest {

    private static final int LOOKS = 4;

    private final NodeLease lease = new NodeLease("node_me", LOOKS, new SettableClock());

    @Test
    void takesNobodyForDeadWhoSaysSomethingNew() {
        for (long said = 1; said < 100; said++) {
            assertThat(looks(LOOKS, Map.of("node_other", said))).isEmpty();
        }
    }

    @Test
    void takesNobodyForDeadAfterAnOutageHoweverLong() {
        assertThat(looks(LOOKS, Map.of("node_other", 1L))).isEmpty();
        lease.missed();

        assertThat(looks(LOOKS, Map.of("node_other", 1L))).isEmpty();
        assertThat(looks(1, Map.of("node_other", 2L))).isEmpty();
    }

    @Test
    void takesForDeadWhoSaysNothingInSoManyLooksWhateverHisClock() {
        Map<String, Long> silent = Map.of("ahead", Long.MAX_VALUE, "behind", 0L);
        assertThat(looks(LOOKS, silent)).isEmpty();

        assertThat(looks(1, silent)).isEqualTo(silent);
    }

    @Test
    void takesForDeadAfterAnOutageWhoSaysNothingSince() {
        looks(LOOKS, Map.of("node_other", 1L));
        lease.missed();
        looks(LOOKS, Map.of("node_other", 1L));

        assertThat(looks(1, Map.of("node_other", 1L))).containsOnlyKeys("node_other");
    }

    @Test
    void takesEverybodyElseForDeadWhereTheHomeBelongsToOneProcess() {
        assertThat(lease.dead(Dialect.SQLITE, Map.of("node_before", 1L))).containsOnlyKeys("node_before");
    }

    /** Who is dead in the last of so many looks. */
    private Map<String, Long> looks(int count, Map<String, Long> others) {
        Map<String, Long> dead = Map.of();
        for (int i = 0; i < count; i++) {
            assertThat(dead).isEmpty();
            dead = lease.dead(Dialect.POSTGRESQL, others);
        }
        return dead;
    }
}
