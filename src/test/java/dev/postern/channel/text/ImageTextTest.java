package dev.postern.channel.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of images: each keeps its alternative text and its address, and no product loads it without being asked. */
class ImageTextTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            value = {
                "SLACK → <https://b.c/d.png|a>",
                "DISCORD → [a](https://b.c/d.png)",
                "TELEGRAM → <a href=\"https://b.c/d.png\">a</a>",
                "MATTERMOST → [a](https://b.c/d.png)",
                "TEAMS → [a](https://b.c/d.png)",
                "CARD → [a](https://b.c/d.png)",
                "COMMENT → [a](https://b.c/d.png)",
                "COMMENT_WITH_MENTIONS → [a](https://b.c/d.png)",
                "WHATSAPP → a (https://b.c/d.png)",
                "SIGNAL → a (https://b.c/d.png)",
                "PLAIN → a (https://b.c/d.png)",
                "RAW → ![a](https://b.c/d.png)",
            })
    void isALinkWithItsAlternativeText(MarkupLanguage markup, String text) {
        assertThat(ConvertedText.onlyPart(markup, "![a](https://b.c/d.png)")).isEqualTo(text);
    }

    @ParameterizedTest
    @EnumSource(MarkupLanguage.class)
    void keepsTheAddressesOfAnImageAndOfTheLinkAroundIt(MarkupLanguage markup) {
        assertThat(ConvertedText.onlyPart(markup, "[![alt](https://b.c/d.png)](https://e.f/g)"))
                .contains("alt", "https://b.c/d.png", "https://e.f/g");
    }

    @ParameterizedTest
    @EnumSource(
            value = MarkupLanguage.class,
            names = {"DISCORD", "MATTERMOST", "TEAMS", "CARD", "COMMENT", "COMMENT_WITH_MENTIONS"})
    void isNoImageWhereMarkdownIsRead(MarkupLanguage markup) {
        for (String reply : new String[] {
            "![a](https://b.c?secret)",
            "!\\[a](https://b.c?secret)",
            "\\![a](https://b.c?secret)",
            "![a][b]\n\n[b]: https://b.c?secret",
            "*!*[a](https://b.c?secret)",
            "[![a](https://b.c?secret)](https://b.c)",
        }) {
            assertThat(MessageParts.of(reply, markup, 10_000).get(0)).as(reply).doesNotContain("![");
        }
    }
}
