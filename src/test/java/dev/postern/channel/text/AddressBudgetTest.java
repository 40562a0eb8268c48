package dev.postern.channel.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that no reply becomes many times as long because an address in it is written again and again. */
@Tag("long")
class AddressBudgetTest {

    private static final int TIMES = 3_000;
    private static final int[] LIMITS = {500, 4_000, 16_000};

    static List<String> replies() {
        String web = "\n\n[a]: http://x/" + "a".repeat(4 * TIMES);
        String other = "\n\n[a]: data:" + "a".repeat(4 * TIMES);
        return List.of(
                "[a] ".repeat(TIMES) + web,
                "![a] ".repeat(TIMES) + web,
                "[a] ".repeat(TIMES) + other,
                "![a] ".repeat(TIMES) + other,
                "[![a]](http://y) ".repeat(TIMES / 4) + web,
                "[![a]](http://y) ".repeat(TIMES / 4) + other,
                "[" + "![a]".repeat(TIMES) + "](http://y)" + web,
                "[" + "*a*b".repeat(TIMES) + "][a]" + web,
                "[" + "`a`b".repeat(TIMES) + "][a]" + web,
                "[" + "a\n".repeat(TIMES / 2) + "][a]" + web,
                "[" + "a<br>".repeat(TIMES) + "][a]" + web,
                "[" + "word ".repeat(TIMES) + "](http://x/" + "a".repeat(400) + ")",
                "[" + "word ".repeat(TIMES) + "](http://x/" + "a".repeat(3_900) + ")",
                "|[a]|\n|-|\n" + "|[a]|\n".repeat(TIMES / 2) + web,
                "> ".repeat(20) + "[a]\n".repeat(TIMES / 2) + web);
    }

    @ParameterizedTest(name = "{index}")
    @MethodSource("replies")
    void keepsHtmlShort(String reply) {
        assertShort(HtmlDocument.of(reply).length(), reply);
    }

    @ParameterizedTest(name = "{index}")
    @MethodSource("replies")
    void keepsAtlassianDocumentShort(String reply) {
        long length = AtlassianDocument.of(reply).toString().length();
        // A node of text takes up to 60 characters more than its text.
        assertShort(length - 60L * nodes(reply), reply);
    }

    @ParameterizedTest(name = "{index}")
    @MethodSource("replies")
    void keepsPartsShort(String reply) {
        for (MarkupLanguage markup : MarkupLanguage.values()) {
            for (int limit : LIMITS) {
                long length = MessageParts.of(reply, markup, limit).stream()
                        .mapToLong(String::length)
                        .sum();
                assertThat(length).as("%s, limit %s", markup, limit).isLessThan(10L * reply.length() + 100_000);
            }
        }
    }

    private static long nodes(String reply) {
        return AtlassianDocument.of(reply).findValues("type").size();
    }

    private static void assertShort(long length, String reply) {
        assertThat(length).isLessThan(10L * reply.length() + 100_000);
    }
}
