package dev.postern.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.store.Dialect;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeLeaseTest {

    private final SettableClock time = new SettableClock();
    private final NodeLease lease = new NodeLease("node_me", Duration.ofSeconds(15), time);

    @Test
    void takesNobodyForDeadWhoSaysSomethingNew() {
        assertThat(dead(Map.of("node_other", 1L))).isEmpty();
        time.advance(Duration.ofSeconds(15));
        assertThat(dead(Map.of("node_other", 2L))).isEmpty();
        time.advance(Duration.ofSeconds(14));
        assertThat(dead(Map.of("node_other", 2L))).isEmpty();
    }

    @Test
    void takesForDeadWhoSaysNothingForTheLengthOfTheLeaseWhateverHisClock() {
        assertThat(dead(Map.of("ahead", Long.MAX_VALUE, "behind", 0L))).isEmpty();
        time.advance(Duration.ofSeconds(15));

        assertThat(dead(Map.of("ahead", Long.MAX_VALUE, "behind", 0L))).containsExactlyInAnyOrder("ahead", "behind");
    }

    @Test
    void takesEverybodyElseForDeadWhereTheHomeBelongsToOneProcess() {
        assertThat(lease.dead(Dialect.SQLITE, Map.of("node_before", 1L))).containsExactly("node_before");
    }

    private List<String> dead(Map<String, Long> others) {
        return lease.dead(Dialect.POSTGRESQL, others);
    }
}
