package dev.postern.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StorableTextTest {

    @ParameterizedTest
    @CsvSource({
        "'\0', '\uFFFD'",
        "'a\0', 'a\uFFFD'",
        "'\0\0b', '\uFFFD\uFFFDb'",
        "'\uD83D', '\uFFFD'",
        "'\uDE00', '\uFFFD'",
        "'\uDE00\uD83D', '\uFFFD\uFFFD'",
        "'\uD83Dx', '\uFFFDx'",
        "'\uD83D\uD83D\uDE00', '\uFFFD\uD83D\uDE00'",
        "'\uD83D\uDE00\uDE00', '\uD83D\uDE00\uFFFD'",
        "'\uD83D\uDE00\0', '\uD83D\uDE00\uFFFD'",
    })
    void replacesWhatHasNoPlaceInADatabase(String text, String storable) {
        assertThat(StorableText.of(text)).isEqualTo(storable);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "plain", "\u0001\n\t", "gr\u00fc\u00df", "\uD83D\uDE00 twice \uD83D\uDE00", "\uFFFD"})
    void returnsTheSameTextWhereThereIsNothingToReplace(String text) {
        assertThat(StorableText.of(text)).isSameAs(text);
    }

    @Test
    void replacesFarIntoALongText() {
        String text = "x".repeat(100_000);

        assertThat(StorableText.of(text + "\0")).isEqualTo(text + "\uFFFD");
    }
}
