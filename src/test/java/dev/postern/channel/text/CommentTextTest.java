package dev.postern.channel.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommentTextTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '"',
            value = {
                "@org/everyone @all → @·org/everyone @·all",
                "a@b.c é@ops _@ops → a@b.c é@·ops \\_@ops",
                "a **@ops** → a **@·ops**",
                "(@ops) -@ops → (@·ops) -@·ops",
                "&#64;ops \\@ops → @·ops @·ops",
                "[x](mailto:@ops/team) → [x](mailto:%40ops/team)",
                "<https://x.org/@here> → <https://x.org/%40here>",
                "[@ops](https://x.org/@ops) → [@·ops](https://x.org/%40ops)",
                "[tel:@ops](tel:@ops) → @·ops",
                "`@ops` → `@ops`",
            })
    void mentionsNobody(String reply, String text) {
        assertThat(ConvertedText.onlyPart(MarkupLanguage.COMMENT, reply)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '"',
            value = {
                "fixes #12, a/b#7 and !3 → fixes #·12, a/b#·7 and !·3",
                "#12 → \\#·12",
                "GH-12 GL-7 2026-11-26 → GH-·12 GL-·7 2026-11-26",
                "Duplicate of #1 → Duplicate· of #·1",
                "duplicate  OF x, duplicates → duplicate·  OF x, duplicates",
                "[a](tel:#12) → [a](tel:#12)",
                "<tel:#12> → \\#·12",
                "<http://a/#12> → <http://a/#12>",
                "see &12 and group/proj&7, R&D, &#35;12 → see &·12 and group/proj&·7, R&D, #·12",
                "<tel:!7> → !·7",
                "# 1 → # 1",
            })
    void refersToNothing(String reply, String text) {
        assertThat(ConvertedText.onlyPart(MarkupLanguage.COMMENT, reply)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '"',
            value = {
                "/close → \\/close",
                "   /merge now → \\/merge now",
                "- /close → - \\/close",
                "> /close → > \\/close",
                "&#47;close → \\/close",
                "\\/close → \\/close",
                "<tel:/close> → \\/close",
                "[x](tel:/close) → [x](tel:/close)",
                "a /close and/or → a /close and/or",
                "`/close` → `/close`",
            })
    void carriesOutNoCommand(String reply, String text) {
        assertThat(ConvertedText.onlyPart(MarkupLanguage.COMMENT, reply)).isEqualTo(text);
    }

    @Test
    void carriesOutNoCommandOnALaterLine() {
        assertThat(ConvertedText.onlyPart(MarkupLanguage.COMMENT, "a\n/close\n\n<b>\n/label ~x\n</b>\n\nb  \n/merge"))
                .isEqualTo("a\n\\/close\n\n&lt;b>\n\\/label \\~x\n&lt;/b>\n\nb\n\\/merge");
    }

    @Test
    void carriesOutNoCommandInCode() {
        assertThat(ConvertedText.onlyPart(MarkupLanguage.COMMENT, "````\n```\n/close\n/merge x\n/usr/bin\n./x\n````"))
                .isEqualTo("````\n```\n /close\n /merge x\n/usr/bin\n./x\n````");
        assertThat(ConvertedText.onlyPart(MarkupLanguage.COMMENT, "```\n/close\n```"))
                .isEqualTo("```\n /close\n```");
        assertThat(ConvertedText.onlyPart(MarkupLanguage.COMMENT, "```\n/ok-to-test\n/test-e2e 2\n/opt-x/bin\n```"))
                .isEqualTo("```\n /ok-to-test\n /test-e2e 2\n/opt-x/bin\n```");
    }

    @Test
    void carriesOutNoCommandAtTheBeginningOfAPart() {
        assertThat(ConvertedText.parts(MarkupLanguage.COMMENT, 100, "x".repeat(99) + " /close"))
                .containsExactly("x".repeat(99), "\\/close");
        assertThat(ConvertedText.parts(MarkupLanguage.COMMENT, 100, "x".repeat(99) + "a@ops"))
                .last()
                .isEqualTo("@·ops");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '"',
            value = {
                "<img src=x> <!-- x --> → &lt;img src=x> &lt;!-- x -->",
                "![a](https://x.org/?q=secret) → [a](https://x.org/?q=secret)",
                "&lt;b> &amp;lt; → &lt;b> &amp;lt;",
                "**a** ~~b~~ _c_ → **a** ~~b~~ _c_",
                "### a → ### a",
                "- [x] a → - [x] a",
            })
    void keepsMarkdownAndShowsHtmlAsText(String reply, String text) {
        assertThat(ConvertedText.onlyPart(MarkupLanguage.COMMENT, reply)).isEqualTo(text);
    }

    @Test
    void keepsTables() {
        assertThat(ConvertedText.onlyPart(MarkupLanguage.COMMENT, "|a|b|\n|-|-:|\n|1|@ops|"))
                .isEqualTo("| a | b |\n| --- | ---: |\n| 1 | @·ops |");
    }

    @Test
    void letsMentionsAndReferencesPassButNoCommand() {
        assertThat(ConvertedText.onlyPart(
                        MarkupLanguage.COMMENT_WITH_MENTIONS, "@ops #12 Duplicate of #1\n/close\n<https://x.org/@a>"))
                .isEqualTo("@ops #12 Duplicate of #1\n\\/close\n<https://x.org/@a>");
    }
}
