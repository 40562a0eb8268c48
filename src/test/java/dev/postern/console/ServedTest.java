package dev.postern.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.console.Served.Tally;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServedTest {

    private static final Instant EARLY = Instant.ofEpochSecond(1);
    private static final Instant LATE = Instant.ofEpochSecond(2);

    @Test
    void goesByWhatEndedLast() {
        List<Served> all = Served.of(
                List.of("quiet", "broken", "mended"),
                List.of(
                        new Tally("broken", true, 5, EARLY),
                        new Tally("broken", false, 1, LATE),
                        new Tally("mended", false, 2, EARLY),
                        new Tally("mended", true, 1, EARLY),
                        new Tally("mended", true, 1, LATE)));

        assertThat(all)
                .containsExactly(
                        new Served("quiet", 0, 0, null, null),
                        new Served("broken", 5, 1, EARLY, LATE),
                        new Served("mended", 2, 2, LATE, EARLY));
        assertThat(all).extracting(Served::state).containsExactly("unknown", "down", "up");
    }

    @Test
    void isNotFloodedByNamesThatSomebodyMakesUp() {
        List<Tally> many = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            many.add(new Tally("made-up-" + i, false, 1, LATE));
        }

        assertThat(Served.of(List.of("mine"), many))
                .hasSizeLessThan(50)
                .first()
                .extracting(Served::name)
                .isEqualTo("mine");
    }
}
