package dev.postern.channel.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DiscordTextTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '"',
            value = {
                "@everyone @here → @·everyone @·here",
                "@Everyone → @·Everyone",
                "@<b></b>everyone → @\\<b>\\</b>everyone",
                "https://x.org/@here → https://x.org/%40here",
                "[a](https://x.org/@here) → [a](https://x.org/%40here)",
                "<@&12> → \\<@&12>",
            })
    void callsNobody(String reply, String text) {
        assertThat(ConvertedText.onlyPart(MarkupLanguage.DISCORD, reply)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '"',
            value = {
                "**a → \\*\\*a",
                "a **b* c → a \\*_b_ c",
                "\\*a\\* → \\*a\\*",
                "&lt;b&gt; &amp;lt; → \\<b> &lt;",
                "a_b_c _d → a_b_c \\_d",
                "\\||a\\|| → \\|\\|a\\|\\|",
                "\\# a → \\# a",
                "1\\. a → 1\\. a",
                "a \\> b → a > b",
                "a\\\\ → a\\\\",
            })
    void writesTextSoThatItStaysText(String reply, String text) {
        assertThat(ConvertedText.onlyPart(MarkupLanguage.DISCORD, reply)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '"',
            value = {
                "**a *b* ~~c~~** → **a _b_ ~~c~~**",
                "***a*** → **_a_**",
                "这是**粗**字 → 这是**粗**字",
                "a*b*c → a*b*c",
                "**a**_b_ → **a**·*b*",
                "`` a`b `` → `` a`b ``",
                "``` a``b ``` → a\\`\\`b",
                "`@here *a*` → `@here *a*`",
                "**a `b` c** → **a `b` c**",
                "### a *b* → ### a _b_",
                "##### a → **a**",
            })
    void keepsStyles(String reply, String text) {
        assertThat(ConvertedText.onlyPart(MarkupLanguage.DISCORD, reply)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '"',
            value = {
                "[a](javascript:alert) → a (javascript:alert)",
                "[a](/path) → a (/path)",
                "[a]() → a",
                "[a](mailto:b@c.de) → a (b@c.de)",
                "<b@c.de> → b@c.de",
                "[https://a.b](https://c.d) → https://a.b (https://c.d)",
                "[https://a.b](https://a.b) → https://a.b",
                "[a](<https://b.c/d e(f)>) → [a](https://b.c/d%20e%28f%29)",
                "(https://a.b/c_(d)_e_). → (https://a.b/c_(d)_e\\_).",
                "![a *b*](https://c.d) → [a _b_](https://c.d)",
                "![](https://c.d) → https://c.d",
                "[![a](https://b.c)](https://d.e) → [a](https://d.e) (https://b.c)",
                "[f![](https://b.c)](https://d.e) → [f](https://d.e) (https://b.c)",
                "[![](https://b.c)](https://d.e) → https://d.e (https://b.c)",
                "[![a](https://b.c)](https://b.c) → [a](https://b.c)",
                "[![a](javascript:b)](https://d.e) → [a](https://d.e) (javascript:b)",
                "![a ![b](https://c.d)](https://e.f) → [a b](https://e.f) (https://c.d)",
                "\\![a](https://b.c) → !·[a](https://b.c)",
            })
    void makesLinksOfTheWebAlone(String reply, String text) {
        assertThat(ConvertedText.onlyPart(MarkupLanguage.DISCORD, reply)).isEqualTo(text);
    }

    @Test
    void hasNoFenceOfFourBackticks() {
        assertThat(ConvertedText.onlyPart(MarkupLanguage.DISCORD, "````md\n```\na\n```\n````"))
                .isEqualTo("```md\n``·`\na\n``·`\n```");
    }

    @Test
    void alignsTables() {
        String table = "|a|long|\n|:-:|-:|\n|**b**|[c](https://d.e)|\n|wide|f<br>g|";

        assertThat(ConvertedText.onlyPart(MarkupLanguage.DISCORD, table))
                .isEqualTo(
                        """
                        ```
                         a   |            long
                        -----+----------------
                         b   | c (https://d.e)
                        wide |             f g
                        ```""");
    }

    @Test
    void endsAListForAFenceWithinIt() {
        assertThat(ConvertedText.onlyPart(MarkupLanguage.DISCORD, "1. a\n   ```java\n     b\n   ```\n2. c"))
                .isEqualTo("1. a\n\n```java\n  b\n```\n\n2. c");
    }

    @Test
    void indentsWhatBelongsToAnItem() {
        assertThat(ConvertedText.onlyPart(
                        MarkupLanguage.DISCORD, "9. a\n   b\n\n   c\n   - [x] d\n   - [ ] e\n10. > f\n    > g"))
                .isEqualTo("9. a\n   b\n\n   c\n   - ☑ d\n   - ☐ e\n10. > f\n    > g");
    }

    @Test
    void marksEachLineOfAQuote() {
        assertThat(ConvertedText.onlyPart(MarkupLanguage.DISCORD, "> a\nb\n>\n> > c\n\nd"))
                .isEqualTo("> a\n> b\n> \n> > c\n\nd");
    }
}
