package dev.postern.channel.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SplittingTest {

    private static final String WORD = "word ";

    @Test
    void refusesALimitThatMarkupAloneCouldPass() {
        assertThatIllegalArgumentException().isThrownBy(() -> Parts.of("a", Markup.SLACK, 99));
    }

    @ParameterizedTest
    @EnumSource(Markup.class)
    void givesOnePartForAnEmptyReply(Markup markup) {
        assertThat(Parts.of("", markup, 100)).containsExactly("");
    }

    @ParameterizedTest
    @ValueSource(strings = {" \n\t ", "\u00A0\u200B"})
    void givesOneEmptyPartForABlankReply(String reply) {
        assertThat(Parts.of(reply, Markup.SLACK, 100)).containsExactly("");
        assertThat(Parts.of(reply.repeat(200), Markup.RAW, 100)).containsExactly("");
    }

    @Test
    void showsWhatMarkdownShowsNothingOf() {
        assertThat(Parts.of("[a]: https://b.c", Markup.WHATSAPP, 100)).containsExactly("[a]: https://b.c");
    }

    @Test
    void leavesMarkdownThatFitsAsItCame() {
        String reply = " # a  \r\n\n\n* b <x>\n```\n";

        assertThat(Parts.of(reply, Markup.RAW, 100)).containsExactly(reply);
    }

    @Test
    void cutsBetweenParagraphsFirst() {
        assertThat(Shown.in(Markup.PLAIN, 100, "a\n\n" + WORD.repeat(15) + "\n\n" + WORD.repeat(15)))
                .containsExactly(
                        "a\n\n" + WORD.repeat(15).strip(), WORD.repeat(15).strip());
    }

    @Test
    void cutsAtALinesEndNext() {
        assertThat(Shown.in(Markup.PLAIN, 100, (WORD.repeat(7).strip() + "\n").repeat(4)))
                .containsExactly(
                        (WORD.repeat(7).strip() + "\n").repeat(2).strip(),
                        (WORD.repeat(7).strip() + "\n").repeat(2).strip());
    }

    @Test
    void cutsBetweenWordsNextAndGoesOnWithTheStyle() {
        assertThat(Shown.in(Markup.SLACK, 100, "**" + WORD.repeat(30).strip() + "**"))
                .containsExactly(
                        "*" + WORD.repeat(19).strip() + "*",
                        "*" + WORD.repeat(11).strip() + "*");
    }

    @Test
    void cutsBetweenTheCharactersOfALongWord() {
        String family = "\uD83D\uDC68\u200D\uD83D\uDC69\u200D\uD83D\uDC67";

        assertThat(Parts.of(family.repeat(20), Markup.DISCORD, 100))
                .containsExactly(family.repeat(12), family.repeat(8));
        assertThat(Parts.of("e\u0301".repeat(99), Markup.DISCORD, 101))
                .containsExactly("e\u0301".repeat(50), "e\u0301".repeat(49));
    }

    @Test
    void cutsACharacterThatIsLongerThanAPart() {
        assertThat(Parts.of("e" + "\u0301".repeat(150), Markup.PLAIN, 100)).hasSize(2);
        assertThat(Parts.of("\uD83D\uDC68\u200D".repeat(67), Markup.PLAIN, 100))
                .allSatisfy(part -> assertThat(part.codePoints()).noneMatch(c -> c >= 0xD800 && c <= 0xDFFF));
    }

    @Test
    void opensAFenceAgainWithItsLanguage() {
        assertThat(Shown.in(Markup.DISCORD, 100, "```java\n" + "  some code;\n".repeat(10) + "```"))
                .containsExactly(
                        "```java\n" + "  some code;\n".repeat(6) + "```",
                        "```java\n" + "  some code;\n".repeat(4) + "```");
    }

    @Test
    void opensAFenceOfMarkdownAsItCameAgain() {
        assertThat(Parts.of("a\n\n~~~~ js x\n" + "some code\n".repeat(12) + "~~~~\nb", Markup.RAW, 100))
                .hasSize(2)
                .allSatisfy(part -> assertThat(part).contains("~~~~ js x\n"))
                .allSatisfy(part -> assertThat(part).contains("\n~~~~"));
    }

    @Test
    void opensALinkAgain() {
        assertThat(Shown.in(Markup.TELEGRAM, 100, "[" + WORD.repeat(30).strip() + "](https://b.c)"))
                .allSatisfy(part -> assertThat(part)
                        .startsWith("<a href=\"https://b.c\">word")
                        .endsWith("word</a>"));
    }

    @Test
    void opensAQuoteAgain() {
        assertThat(Shown.in(Markup.WHATSAPP, 100, "> " + WORD.repeat(30)))
                .allSatisfy(part -> assertThat(part).startsWith("> word"));
    }

    @Test
    void doesNotCutAnAddressThatFits() {
        String address = "https://x.org/" + "a-".repeat(30);

        assertThat(Shown.in(Markup.WHATSAPP, 100, WORD.repeat(10) + "[b](" + address + "c) d"))
                .containsExactly(WORD.repeat(10) + "b", "(" + address + "c) d");
    }

    @Test
    void writesOutALinkWhoseAddressIsTooLong() {
        String address = "https://x.org/" + "a".repeat(200);

        assertThat(String.join("", Shown.in(Markup.TELEGRAM, 100, "[b](" + address + ")")))
                .isEqualTo("b (" + address + ")");
    }

    @Test
    void fillsAPartThatIsLessThanHalfFullFromALongBlock() {
        assertThat(Shown.in(Markup.PLAIN, 100, "a\n\n" + WORD.repeat(40)))
                .first()
                .asString()
                .hasSizeGreaterThan(90);
    }
}
