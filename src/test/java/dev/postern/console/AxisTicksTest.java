package dev.postern.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AxisTicksTest {

    @ParameterizedTest
    @CsvSource({
        "-1,            0 1",
        "0,             0 1",
        "1,             0 1",
        "3,             0 1 2 3",
        "5,             0 2 4 6",
        "8,             0 2 4 6 8",
        "9,             0 5 10",
        "100,           0 50 100",
        "101,           0 50 100 150",
        "999999,        0 500000 1000000",
        "3600000000,    0 1000000000 2000000000 3000000000 4000000000"
    })
    void areFewRoundNumbersUpToTheLargest(long most, String ticks) {
        assertThat(PageRenderer.AxisTicks.upTo(most))
                .isEqualTo(List.of(ticks.split(" ")).stream().map(Long::valueOf).toList());
    }

    @Test
    void areTwoToFive() {
        for (long most = 0; most < 100_000; most += 7) {
            List<Long> ticks = PageRenderer.AxisTicks.upTo(most);

            assertThat(ticks).hasSizeBetween(2, 5);
            assertThat(ticks.get(ticks.size() - 1)).isGreaterThanOrEqualTo(most);
        }
    }
}
