package dev.postern.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WaitPreferenceTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "wait",
                "wait=",
                "wait=-1",
                "wait=0",
                "wait=x",
                "wait=1.5",
                "respond-async",
                "waits=5",
                "",
                "wait=9999999999",
                "wait=1\"0\"",
                "wait=\"10",
                "foo=\"a, wait=60\"",
                "foo=\"a\\\", wait=60\"",
                "foo=\"a; wait=60\"",
                "foo=\"never closed, wait=60",
                "foo; wait=60"
            })
    void overlooksAPreferenceThatMakesNoSense(String header) {
        assertThat(WaitPreference.wait(List.of(header))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "wait=10 | 10",
                "WAIT=10 | 10",
                "wait = 10 | 10",
                "wait=\"10\" | 10",
                "wait=\"1\\0\" | 10",
                "foo=\"a, wait=60\", wait=5 | 5",
                "foo=\"a\\\\\", wait=5 | 5",
                "foo; bar=\"x, y\", wait=5 | 5",
                "wait=5; foo=\"x, wait=6\" | 5",
                "respond-async, wait=7 | 7",
                "wait=7; foo=bar | 7",
                "wait=3, wait=9 | 3",
                "wait=120 | 120",
                "wait=121 | 120",
                "wait=999999999 | 120"
            })
    void readsTheFirstWaitAndCapsIt(String header, long seconds) {
        assertThat(WaitPreference.wait(List.of(header))).contains(Duration.ofSeconds(seconds));
    }

    @Test
    void readsEveryHeader() {
        assertThat(WaitPreference.wait(List.of("respond-async", "wait=5"))).contains(Duration.ofSeconds(5));
        assertThat(WaitPreference.wait(List.of())).isEmpty();
    }
}
