package dev.postern.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.console.ServiceStatus.Tally;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServiceStatusTest {

    private static final Instant EARLY = Instant.ofEpochSecond(1);
    private static final Instant LATE = Instant.ofEpochSecond(2);

    @Test
    void goesByWhatEndedLast() {
        List<ServiceStatus> all = ServiceStatus.of(
                List.of("quiet", "broken", "mended"),
                List.of(
                        new Tally("broken", true, 5, EARLY),
                        new Tally("broken", false, 1, LATE),
                        new Tally("mended", false, 2, EARLY),
                        new Tally("mended", true, 1, EARLY),
                        new Tally("mended", true, 1, LATE)));

        assertThat(all)
                .containsExactly(
                        new ServiceStatus("quiet", 0, 0, null, null),
                        new ServiceStatus("broken", 5, 1, EARLY, LATE),
                        new ServiceStatus("mended", 2, 2, LATE, EARLY));
        assertThat(all).extracting(ServiceStatus::status).containsExactly("unknown", "down", "up");
    }

    @Test
    void leavesOutNamesThatSomebodyMakesUp() {
        assertThat(ServiceStatus.of(List.of("mine"), List.of(new Tally("made-up", false, 1, LATE))))
                .extracting(ServiceStatus::name)
                .containsExactly("mine");
    }
}
