package dev.postern.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SizeTextTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0 B",
        "999, 999 B",
        "1000, 1 kB",
        "1240, 1.2 kB",
        "999949, 999.9 kB",
        "999951, 1 MB",
        "3400000, 3.4 MB",
        "512000000000, 512 GB",
        "9223372036854775807, 9.2 EB"
    })
    void isReadable(long bytes, String text) {
        assertThat(SizeText.of(bytes)).isEqualTo(text);
    }
}
