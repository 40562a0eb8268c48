package dev.postern.channel.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

    private static final String LONG_CODE = "some code;\n".repeat(20);

    @Test
    void makesAFileOfCodeThatFitsIntoNoPart() {
        List<MessagePart> parts = MessageParts.withFiles(
                "before\n\n```python\n" + LONG_CODE + "```\nbehind", MarkupLanguage.DISCORD, 100);

        assertThat(parts)
                .containsExactly(
                        MessagePart.text("before\n\n`code-1.py`"),
                        new MessagePart("```python\n" + LONG_CODE + "```", "code-1.py"),
                        MessagePart.text("behind"));
        assertThat(parts.get(1).file()).isEqualTo(new CodeFile("code-1.py", LONG_CODE));
    }

    @ParameterizedTest
    @EnumSource(MarkupLanguage.class)
    void leavesWhatFitsAndWhatIsNoFencedCodeAsItIs(MarkupLanguage markup) {
        String table = "| a | b |\n|---|---|\n" + "| some | words |\n".repeat(20);
        for (String reply : List.of(
                "a\n\n```java\nshort;\n```\n\nb",
                "    indented\n".repeat(30),
                table,
                "```\n" + "\n".repeat(200) + "```",
                "> a\n\n" + WORD.repeat(100))) {
            assertThat(MessageParts.withFiles(reply, markup, 100))
                    .extracting(MessagePart::text)
                    .containsExactlyElementsOf(MessageParts.of(reply, markup, 100));
            assertThat(MessageParts.withFiles(reply, markup, 100))
                    .extracting(MessagePart::fileName)
                    .containsOnlyNulls();
        }
    }

    @Test
    void numbersFilesAndNamesThemByTheLanguage() {
        String reply = Stream.of("Python", "js", "bat", "html", "c++", "../x", "", "JSON {.a}")
                .map(language -> "```" + language + "\n" + LONG_CODE + "```\n")
                .collect(Collectors.joining());

        assertThat(MessageParts.withFiles(reply, MarkupLanguage.SLACK, 100))
                .extracting(MessagePart::fileName)
                .containsExactly(
                        "code-1.py",
                        "code-2.mjs",
                        "code-3.txt",
                        "code-4.txt",
                        "code-5.cpp",
                        "code-6.txt",
                        "code-7.txt",
                        "code-8.json");
    }

    @Test
    void leavesTheNameOfAFileOutWhereItHasNoSpace() {
        String full = "x".repeat(99);

        assertThat(MessageParts.withFiles(full + "\n\n```\n" + LONG_CODE + "```", MarkupLanguage.TELEGRAM, 100))
                .extracting(MessagePart::text)
                .containsExactly(full, "```\n" + LONG_CODE + "```");
    }

    @ParameterizedTest
    @EnumSource(
            value = MarkupLanguage.class,
            names = {"SLACK", "DISCORD", "TELEGRAM", "MATTERMOST"})
    void makesTheSameTextsOfARefusedFileAsWithoutFiles(MarkupLanguage markup) {
        String code = "~~~rust\n" + LONG_CODE + "```\n````\n\t<&> *a*\n~~~";

        MessagePart file = MessageParts.withFiles(code, markup, 100).get(0);

        assertThat(file.fileName()).isEqualTo("code-1.rs");
        assertThat(MessageParts.of(file.text(), markup, 100)).isEqualTo(MessageParts.of(code, markup, 100));
    }
}
