package dev.postern.channel.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TelegramTextTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '"',
            value = {
                "<b>a</b> → &lt;b&gt;a&lt;/b&gt;",
                "<!-- a --> → &lt;!-- a --&gt;",
                "&lt;a&gt; & &amp;lt; → &lt;a&gt; &amp; &amp;lt;",
                "[a](https://b.c?d=1&e=%22\\\") → <a href='https://b.c?d=1&amp;e=%22%22'>a</a>",
                "`<a>` → <code>&lt;a&gt;</code>",
                "**a → **a",
                "&#1;a&#xD800; → \uFFFDa\uFFFD",
                "@ada, (@bob) a@b.c https://x.org/@ada → @·ada, (@·bob) a@b.c https://x.org/@ada",
            })
    void escapesWhatIsText(String reply, String text) {
        assertThat(ConvertedText.onlyPart(MarkupLanguage.TELEGRAM, reply).replace('"', '\''))
                .isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            value = {
                "**a *b* ~~c~~** → <b>a <i>b</i> <s>c</s></b>",
                "**a `b` c** → <b>a</b> <code>b</code> <b>c</b>",
                "[a `b`](https://c.d) → <a href=\"https://c.d\">a b</a>",
                "# a *b* → <b>a <i>b</i></b>",
                "[a](tel:+431) → a (+431)",
            })
    void knowsItsTags(String reply, String text) {
        assertThat(ConvertedText.onlyPart(MarkupLanguage.TELEGRAM, reply)).isEqualTo(text);
    }

    @Test
    void namesTheLanguageOfCode() {
        assertThat(ConvertedText.onlyPart(MarkupLanguage.TELEGRAM, "~~~c++ x\na<b\n~~~\n\n    d"))
                .isEqualTo("<pre><code class=\"language-c++\">a&lt;b</code></pre>\n\n<pre>d</pre>");
    }

    @Test
    void namesNoLanguageThatIsNone() {
        assertThat(ConvertedText.onlyPart(MarkupLanguage.TELEGRAM, "```\"><b>\na\n```"))
                .isEqualTo("<pre>a</pre>");
    }

    @Test
    void doesNotNestQuotes() {
        assertThat(ConvertedText.onlyPart(MarkupLanguage.TELEGRAM, "> a\n> > b\n\n- c\n  - d"))
                .isEqualTo("<blockquote>a\n\n&gt; b</blockquote>\n\n• c\n  • d");
    }
}
