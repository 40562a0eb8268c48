package dev.postern.channel.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessagePartsTest {

    private static final String WORD = "word ";

    @Test
    void refusesALimitThatMarkupAloneCouldPass() {
        assertThatIllegalArgumentException().isThrownBy(() -> MessageParts.of("a", MarkupLanguage.SLACK, 99));
    }

    @ParameterizedTest
    @EnumSource(MarkupLanguage.class)
    void givesOnePartForAnEmptyReply(MarkupLanguage markup) {
        assertThat(MessageParts.of("", markup, 100)).containsExactly("");
    }

    @ParameterizedTest
    @ValueSource(strings = {" \n\t ", "\u00A0\u200B"})
    void givesOneEmptyPartForABlankReply(String reply) {
        assertThat(MessageParts.of(reply, MarkupLanguage.SLACK, 100)).containsExactly("");
        assertThat(MessageParts.of(reply.repeat(200), MarkupLanguage.RAW, 100)).containsExactly("");
    }

    @Test
    void showsWhatMarkdownShowsNothingOf() {
        assertThat(MessageParts.of("[a]: https://b.c", MarkupLanguage.WHATSAPP, 100))
                .containsExactly("[a]: https://b.c");
    }

    @Test
    void leavesMarkdownThatFitsAsItCame() {
        String reply = " # a  \r\n\n\n* b <x>\n```\n";

        assertThat(MessageParts.of(reply, MarkupLanguage.RAW, 100)).containsExactly(reply);
    }

    @Test
    void cutsBetweenParagraphsFirst() {
        assertThat(ConvertedText.parts(MarkupLanguage.PLAIN, 100, "a\n\n" + WORD.repeat(15) + "\n\n" + WORD.repeat(15)))
                .containsExactly(
                        "a\n\n" + WORD.repeat(15).strip(), WORD.repeat(15).strip());
    }

    @Test
    void cutsAtALinesEndNext() {
        assertThat(ConvertedText.parts(
                        MarkupLanguage.PLAIN, 100, (WORD.repeat(7).strip() + "\n").repeat(4)))
                .containsExactly(
                        (WORD.repeat(7).strip() + "\n").repeat(2).strip(),
                        (WORD.repeat(7).strip() + "\n").repeat(2).strip());
    }

    @Test
    void cutsBetweenWordsNextAndGoesOnWithTheStyle() {
        assertThat(ConvertedText.parts(
                        MarkupLanguage.SLACK, 100, "**" + WORD.repeat(30).strip() + "**"))
                .containsExactly(
                        "*" + WORD.repeat(19).strip() + "*",
                        "*" + WORD.repeat(11).strip() + "*");
    }

    @Test
    void cutsBetweenTheCharactersOfALongWord() {
        String family = "\uD83D\uDC68\u200D\uD83D\uDC69\u200D\uD83D\uDC67";

        assertThat(MessageParts.of(family.repeat(20), MarkupLanguage.DISCORD, 100))
                .containsExactly(family.repeat(12), family.repeat(8));
        assertThat(MessageParts.of("e\u0301".repeat(99), MarkupLanguage.DISCORD, 101))
                .containsExactly("e\u0301".repeat(50), "e\u0301".repeat(49));
    }

    @Test
    void cutsACharacterThatIsLongerThanAPart() {
        assertThat(MessageParts.of("e" + "\u0301".repeat(150), MarkupLanguage.PLAIN, 100))
                .hasSize(2);
        assertThat(MessageParts.of("\uD83D\uDC68\u200D".repeat(67), MarkupLanguage.PLAIN, 100))
                .allSatisfy(part -> assertThat(part.codePoints()).noneMatch(c -> c >= 0xD800 && c <= 0xDFFF));
    }

    @Test
    void opensAFenceAgainWithItsLanguage() {
        assertThat(ConvertedText.parts(MarkupLanguage.DISCORD, 100, "```java\n" + "  some code;\n".repeat(10) + "```"))
                .containsExactly(
                        "```java\n" + "  some code;\n".repeat(6) + "```",
                        "```java\n" + "  some code;\n".repeat(4) + "```");
    }

    @Test
    void opensAFenceOfMarkdownAsItCameAgain() {
        assertThat(MessageParts.of("a\n\n~~~~ js x\n" + "some code\n".repeat(12) + "~~~~\nb", MarkupLanguage.RAW, 100))
                .hasSize(2)
                .allSatisfy(part -> assertThat(part).contains("~~~~ js x\n"))
                .allSatisfy(part -> assertThat(part).contains("\n~~~~"));
    }

    @Test
    void opensALinkAgain() {
        assertThat(ConvertedText.parts(
                        MarkupLanguage.TELEGRAM, 100, "[" + WORD.repeat(30).strip() + "](https://b.c)"))
                .allSatisfy(part -> assertThat(part)
                        .startsWith("<a href=\"https://b.c\">word")
                        .endsWith("word</a>"));
    }

    @Test
    void opensAQuoteAgain() {
        assertThat(ConvertedText.parts(MarkupLanguage.WHATSAPP, 100, "> " + WORD.repeat(30)))
                .allSatisfy(part -> assertThat(part).startsWith("> word"));
    }

    @Test
    void doesNotCutAnAddressThatFits() {
        String address = "https://x.org/" + "a-".repeat(30);

        assertThat(ConvertedText.parts(MarkupLanguage.WHATSAPP, 100, WORD.repeat(10) + "[b](" + address + "c) d"))
                .containsExactly(WORD.repeat(10) + "b", "(" + address + "c) d");
    }

    @Test
    void writesOutALinkWhoseAddressIsTooLong() {
        String address = "https://x.org/" + "a".repeat(200);

        assertThat(String.join("", ConvertedText.parts(MarkupLanguage.TELEGRAM, 100, "[b](" + address + ")")))
                .isEqualTo("b (" + address + ")");
    }

    @Test
    void fillsAPartThatIsLessThanHalfFullFromALongBlock() {
        assertThat(ConvertedText.parts(MarkupLanguage.PLAIN, 100, "a\n\n" + WORD.repeat(40)))
                .first()
                .asString()
                .hasSizeGreaterThan(90);
    }
}
