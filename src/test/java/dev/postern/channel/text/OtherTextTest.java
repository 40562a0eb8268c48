package dev.postern.channel.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of Mattermost, Teams, and channels without styles. */
class OtherTextTest {

    private static final String TABLE = "|a|b|\n|:-:|-|\n|*c*|d<br>e|\n|f||";

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            value = {
                "MATTERMOST → @all @channel @Here @bob a@b.c → @·all @·channel @·Here @·bob a@b.c",
                "MATTERMOST → [@bob](https://x.org/@bob) → [@·bob](https://x.org/%40bob)",
                "MATTERMOST → &amp;lt; <b> & → &amp;lt; <b> &",
                "MATTERMOST → - [ ] a → - [ ] a",
                "MATTERMOST → ##### a → ##### a",
                "MATTERMOST → --- → ---",
                "MATTERMOST → a \\|\\| → a \\|\\|",
                "TEAMS → <at>a</at> & &amp;amp; → &lt;at>a&lt;/at> & &amp;amp;",
                "TEAMS → ## a `b` ~~c~~ → **a `b` c**",
                "CARD → ## a `b*` ~~c~~ → **a b\\* c**",
                "CARD → [a](https://b.c) → [a](https://b.c)",
                "MATTERMOST → <tel:![x](http://e/i.png)> → !%5bx%5d(http://e/i.png)",
                "MATTERMOST → <tel:@>channel and <tel:@>all → @·channel and @·all",
                "MATTERMOST → [](tel:@)channel → @·channel",
                "MATTERMOST → <http://x/![a](http://e/i.png)> → http://x/!%5ba%5d(http://e/i.png)",
                "MATTERMOST → <http://[::1]:80/a[b]> → http://[::1]:80/a%5bb%5d",
                "DISCORD → <tel:![x](http://e/i.png)> → !%5bx%5d(http://e/i.png)",
                "TEAMS → <tel:![x](http://e/i.png)> → !%5bx%5d(http://e/i.png)",
                "TEAMS → <mailto:a_b@c.de> → a_b@c.de",
                "PLAIN → ## a **b** `c*` ~~d~~ → a b c* d",
                "PLAIN → [a](https://b.c/_d_) <e@f.g> → a (https://b.c/_d_) e@f.g",
                "RAW → ## a **b → ## a **b",
            })
    void writesTextAndStyles(MarkupLanguage markup, String reply, String text) {
        assertThat(ConvertedText.onlyPart(markup, reply)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            value = {
                "SLACK → [https://bank.com](https://evil.com) → <https://bank.com> (<https://evil.com>)",
                "SLACK → [see **www.bank.com**/a](https://evil.com) → see *www.bank.com*/a (<https://evil.com>)",
                "SLACK → [bank.com](https://evil.com/bank.com) → bank.com (<https://evil.com/bank.com>)",
                "SLACK → [bank.com/a](https://bank.com.evil.de/a) → bank.com/a (<https://bank.com.evil.de/a>)",
                "SLACK → [https://bank.com](https://bank.com@evil.de) → <https://bank.com> (<https://bank.com@evil.de>)",
                "SLACK → [me@bank.com](mailto:you@evil.de) → me@bank.com (<mailto:you@evil.de>)",
                "SLACK → [https://x.org/a…](https://x.org/a/b) → <https://x.org/a/b|https://x.org/a…>",
                "SLACK → [x.org](https://www.x.org/a) → <https://www.x.org/a|x.org>",
                "SLACK → [README.md](https://x.org/a/README.md#b) → <https://x.org/a/README.md#b|README.md>",
                "SLACK → [v1.2 of e.g. this](https://x.org) → <https://x.org|v1.2 of e.g. this>",
                "SLACK → [\u202Emoc.knab](https://evil.com) → moc.knab (<https://evil.com>)",
                "SLACK → [bank\u200B.com](https://evil.com) → bank·.com (<https://evil.com>)",
                "SLACK → [ban\u00ADk.com](https://evil.com) → ban\u00ADk.com (<https://evil.com>)",
                "SLACK → [https\u200B://bank.com/a](https://evil.com) → https·://bank.com/a (<https://evil.com>)",
                "SLACK → [www\u2060.bank.com](https://evil.com) → www\u2060.bank.com (<https://evil.com>)",
                "SLACK → [bank\uFF0Ecom](https://evil.com) → bank\uFF0Ecom (<https://evil.com>)",
                "TELEGRAM → [https://bank.com](https://evil.com) → https://bank.com (https://evil.com)",
                "MATTERMOST → [HTTPS://bank.com](https://evil.com) → HTTPS://bank.com (https://evil.com)",
                "TEAMS → [ftp://bank.com](https://evil.com) → ftp://bank.com (https://evil.com)",
            })
    void showsWhereALinkLeadsWhoseLabelIsAnotherAddress(MarkupLanguage markup, String reply, String text) {
        assertThat(ConvertedText.onlyPart(markup, reply)).isEqualTo(text);
    }

    @Test
    void fencesCodeWithMoreBackticksThanItHas() {
        assertThat(ConvertedText.onlyPart(MarkupLanguage.MATTERMOST, "~~~\n````\n~~~"))
                .isEqualTo("`````\n````\n`````");
    }

    @Test
    void keepsATableWhereThereAreSome() {
        assertThat(ConvertedText.onlyPart(MarkupLanguage.MATTERMOST, TABLE))
                .isEqualTo("| a | b |\n| :---: | --- |\n| _c_ | d e |\n| f |  |");
    }

    @Test
    void alignsATableThatIsTooLongToStayOne() {
        assertThat(ConvertedText.parts(MarkupLanguage.MATTERMOST, 100, "|a|b|\n|-|-|\n" + "|long|line|\n".repeat(20)))
                .hasSizeGreaterThan(2)
                .allSatisfy(part -> assertThat(part).startsWith("```\n").endsWith("\n```"))
                .allSatisfy(part -> assertThat(part).doesNotContain("long | li\n"));
    }

    @Test
    void namesEachCellWhereNothingIsAligned() {
        assertThat(ConvertedText.onlyPart(MarkupLanguage.PLAIN, TABLE)).isEqualTo("a: c\nb: d e\n\na: f");
        assertThat(ConvertedText.onlyPart(MarkupLanguage.CARD, "|a|b|\n|-|-|\n|c|d|"))
                .isEqualTo("**a:** c\n\n**b:** d");
    }

    @Test
    void namesEachCellOfAWideTable() {
        String wide = "w".repeat(99);

        assertThat(ConvertedText.onlyPart(MarkupLanguage.SLACK, "|a|b|\n|-|-|\n|" + wide + "|d|"))
                .isEqualTo("*a:* " + wide + "\n*b:* d");
    }

    @Test
    void listsTheRowsUnderLongNames() {
        String name = "n".repeat(99);

        assertThat(ConvertedText.onlyPart(MarkupLanguage.SLACK, "|" + name + "|b|\n|-|-|\n|c|d|"))
                .isEqualTo("*" + name + "* | *b*\nc | d");
    }

    @Test
    void endsALineInTeamsByAParagraph() {
        assertThat(ConvertedText.onlyPart(MarkupLanguage.TEAMS, "a\nb  \nc")).isEqualTo("a\n\nb\n\nc");
    }

    @Test
    void writesCodeAsTextInACard() {
        assertThat(ConvertedText.onlyPart(MarkupLanguage.CARD, "```js\na*b\nc\n```"))
                .isEqualTo("a\\*b\n\nc");
    }

    @Test
    void keepsCodeAsItIsWhereThereAreNoStyles() {
        assertThat(ConvertedText.onlyPart(MarkupLanguage.PLAIN, "a\n\n```\n  b\n    c\n```"))
                .isEqualTo("a\n\n  b\n    c");
    }
}
