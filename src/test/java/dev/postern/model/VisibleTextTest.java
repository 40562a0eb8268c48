package dev.postern.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VisibleTextTest {

    @ParameterizedTest
    @CsvSource({
        "invoice\u202Efdp.exe, invoice⟦U+202E⟧fdp.exe",
        "\u2066a\u2069, ⟦U+2066⟧a⟦U+2069⟧",
        "pay\u200Bpal, pay⟦U+200B⟧pal",
        "a\u0000b\u0007\u009B, a⟦U+0000⟧b⟦U+0007⟧⟦U+009B⟧",
        "a\u2028b, a⟦U+2028⟧b",
        "x\uDB40\uDC41, x⟦U+E0041⟧",
        "\uFEFFx, ⟦U+FEFF⟧x",
        "lone \uD83D!, lone ⟦U+D83D⟧!",
    })
    void showsWhatWouldBeHidden(String text, String shown) {
        assertThat(VisibleText.text(text)).isEqualTo(shown);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "plain", "two\nlines\tand a tab", "שלום", "👩‍💻", "می‌خواهم", "e\u0301"})
    void leavesWhatIsSeen(String text) {
        assertThat(VisibleText.text(text)).isEqualTo(text);
    }
}
