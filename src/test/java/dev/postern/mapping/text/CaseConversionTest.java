package dev.postern.mapping.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CaseConversionTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Plain Words",
                "ΟΔΟΣ ΣΑΣ, ΟΔΟΣ. ",
                "straße ﬃ ŉ İ ",
                "\uD801\uDC00\uD801\uDC28",
                "ΤΟΥΣ\u0301 ΤΕΛΟΣ\n\tΑΣ "
            })
    void givesWhatTheJdkGivesHoweverLongTheText(String part) {
        for (String text : new String[] {part, part.repeat(100), "x" + part.repeat(101)}) {
            assertThat(CaseConversion.lower(text, Locale.ROOT, () -> {})).isEqualTo(text.toLowerCase(Locale.ROOT));
            assertThat(CaseConversion.upper(text, Locale.ROOT, () -> {})).isEqualTo(text.toUpperCase(Locale.ROOT));
        }
    }

    @Test
    void canBeEndedBetweenPieces() {
        Runnable end = () -> {
            throw new IllegalStateException("enough");
        };
        assertThatThrownBy(() -> CaseConversion.lower("Σ".repeat(1000), Locale.ROOT, end))
                .hasMessage("enough");
    }
}
