package dev.postern.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlankTextTest {

    @Test
    void seesNothingInWhiteSpace() {
        int[] whiteSpace = { // PropList.txt, White_Space
            0x9, 0xA, 0xB, 0xC, 0xD, 0x20, 0x85, 0xA0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006,
            0x2007, 0x2008, 0x2009, 0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000
        };
        for (int c : whiteSpace) {
            String text = Character.toString(c);
            assertThat(BlankText.isBlank(text)).as("U+%04X", c).isTrue();
            assertThat(BlankText.trimmed(text + "a" + text)).as("U+%04X", c).isEqualTo("a");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\u200b",
                "\u200b\u200c\u200d\u2060\ufeff",
                "\u00ad",
                "\u202e",
                "\u3164",
                "\u2800",
                "\u0000",
                "\uDB40\uDC20",
                "\ufe0f"
            })
    void seesNothingInWhatHasNoShape(String text) {
        assertThat(BlankText.isBlank(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "\u200ba", "0", ".", "\u0301", "\uD83D\uDE00", "\uD800"})
    void seesWhatHasAShape(String text) {
        assertThat(BlankText.isBlank(text)).isFalse();
        assertThat(BlankText.trimmed(text)).isEqualTo(text);
    }
}
