package dev.postern.channel.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the channels with delimiters of their own: Slack, WhatsApp and Signal. */
class StyledTextTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            value = {
                "SLACK → <!here> <@U1> <#C1> → &lt;!here&gt; &lt;@U1&gt; &lt;#C1&gt;",
                "SLACK → &lt; &amp;lt; & → &lt; &amp;lt; &amp;",
                "SLACK → [a>b|c](https://d.e/|>) → <https://d.e/%7c%3e|a&gt;b|c>",
                "SLACK → https://a.b/c_d_?e&f → <https://a.b/c_d_?e&amp;f>",
                "SLACK → [a](mailto:b@c.d) <b@c.d> → <mailto:b@c.d|a> <mailto:b@c.d>",
                "SLACK → \\> a → ·&gt; a",
                "WHATSAPP → [a](https://b.c) → a (https://b.c)",
                "WHATSAPP → ![a](https://b.c) → a (https://b.c)",
                "WHATSAPP → <b>a</b> → <b>a</b>",
                "SIGNAL → [a~](https://b.c/~d) → a\\~ (https://b.c/\\~d)",
            })
    void writesLinksAndTags(MarkupLanguage markup, String reply, String text) {
        assertThat(ConvertedText.onlyPart(markup, reply)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            value = {
                "WHATSAPP → \\*a\\* → *·a*",
                "WHATSAPP → \\*a b → *a b",
                "WHATSAPP → 2 * 3 * 4 → 2 * 3 * 4",
                "WHATSAPP → a_b_c → a_b_c",
                "WHATSAPP → \\_a **b** \\_c → _·a *b* _c",
                "WHATSAPP → \\*a **b** → *·a *b*",
                "SLACK → \\`a\\` → `·a`",
                "SIGNAL → \\*a\\* \\| \\~ \\` → \\*a\\* \\| \\~ \\`",
                "SIGNAL → a\\\\**b** → a\\·**b**",
                "SIGNAL → \\***b** → \\*·**b**",
            })
    void keepsTextFromBecomingAStyle(MarkupLanguage markup, String reply, String text) {
        assertThat(ConvertedText.onlyPart(markup, reply)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            value = {
                "SLACK → **a _b_ ~~c~~** `d` → *a _b_ ~c~* `d`",
                "SLACK → 这是**粗**字 → 这是·*粗*·字",
                "SLACK → # a → *a*",
                "SLACK → `` a`b `` → a`b",
                "SLACK → `<a>` → `&lt;a&gt;`",
                "WHATSAPP → ***a*** b → *_a_* b",
                "WHATSAPP → a**b**c → a·*b*·c",
                "SIGNAL → **a *b*** → **a *b*·**",
                "SIGNAL → a**b**c ~~d~~ `e*` → a**b**c ~d~ `e\\*`",
            })
    void writesStyles(MarkupLanguage markup, String reply, String text) {
        assertThat(ConvertedText.onlyPart(markup, reply)).isEqualTo(text);
    }

    @Test
    void closesAStyleAtTheEndOfALine() {
        assertThat(ConvertedText.onlyPart(MarkupLanguage.SLACK, "**a\nb** c")).isEqualTo("*a*\n*b* c");
    }

    @Test
    void hasOneKindOfFence() {
        String code = "````java\na\n```\n````";

        assertThat(ConvertedText.onlyPart(MarkupLanguage.SLACK, code)).isEqualTo("```\na\n``·`\n```");
        assertThat(ConvertedText.onlyPart(MarkupLanguage.WHATSAPP, code)).isEqualTo("```\na\n``·`\n```");
        assertThat(ConvertedText.onlyPart(MarkupLanguage.SIGNAL, code)).isEqualTo("`a\n\\`\\`\\``");
    }

    @Test
    void writesListsAsLines() {
        String list = "- a\n  1. b\n- [X] c";

        assertThat(ConvertedText.onlyPart(MarkupLanguage.SLACK, list)).isEqualTo("• a\n  1. b\n• ☑ c");
        assertThat(ConvertedText.onlyPart(MarkupLanguage.WHATSAPP, list)).isEqualTo("- a\n  1. b\n- ☑ c");
    }
}
