package dev.postern.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class IdGeneratorTest {

    @Test
    void neverGivesTheSameIdTwice() {
        IdGenerator idGenerator = new IdGenerator(InstantSource.fixed(Instant.EPOCH));
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            assertThat(seen.add(idGenerator.run().value())).isTrue();
        }
    }

    @Test
    void givesIdsThatSortByTheirMillisecond() {
        String earlier = new IdGenerator(InstantSource.fixed(Instant.ofEpochMilli(1_700_000_000_000L)))
                .event()
                .value();
        String later = new IdGenerator(InstantSource.fixed(Instant.ofEpochMilli(1_700_000_000_001L)))
                .event()
                .value();

        assertThat(earlier).isLessThan(later).matches("evt_[0-9a-hjkmnp-tv-z]{26}");
    }

    @Test
    void tellsTheMillisecondOfAnId() {
        Instant moment = Instant.ofEpochMilli(1_700_000_000_001L);
        String id = new IdGenerator(InstantSource.fixed(moment)).request();

        assertThat(IdGenerator.moment(id)).isEqualTo(moment);
        assertThat(IdGenerator.lowest("req", IdGenerator.moment(id))).isLessThan(id);
    }

    @Test
    void givesUuidsOfVersionSevenThatSortByTheirMillisecond() {
        Instant moment = Instant.ofEpochMilli(1_700_000_000_000L);
        String earlier = new IdGenerator(InstantSource.fixed(moment)).uuid().toString();
        String later = new IdGenerator(InstantSource.fixed(moment.plusMillis(1)))
                .uuid()
                .toString();

        assertThat(earlier).isLessThan(later).matches("018bcfe5-6800-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
    }
}
