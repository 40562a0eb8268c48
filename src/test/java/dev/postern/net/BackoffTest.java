package dev.postern.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BackoffTest {

    private final Backoff backoff = new Backoff(Duration.ofSeconds(5), Duration.ofMinutes(1));

    @Test
    void doublesThePauseUpToTheLongest() {
        assertThat(IntStream.rangeClosed(1, 6)
                        .mapToObj(failures -> backoff.after(failures).toSeconds()))
                .containsExactly(5L, 10L, 20L, 40L, 60L, 60L);
    }

    @Test
    void staysAtTheLongestHoweverManyFail() {
        assertThat(backoff.after(Integer.MAX_VALUE)).isEqualTo(Duration.ofMinutes(1));
        assertThat(new Backoff(Duration.ofDays(1), Duration.ofDays(1)).after(1)).isEqualTo(Duration.ofDays(1));
    }
}
