package dev.postern.channel.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of texts that are meant to exhaust the stack, a core or the memory. */
@Tag("long")
@Tag("computing")
class HostileTextTest {

    private static final int LENGTH = 100_000;

    /** Time limit: many times the time of each text alone, and a small part of the time of a quadratic algorithm. */
    private static final Duration LONG = Duration.ofSeconds(20);

    @ParameterizedTest
    @ValueSource(
            strings = {
                ">",
                "[",
                "]",
                "*",
                "_",
                "`",
                "~",
                "(",
                "<",
                "&",
                "!",
                "\\",
                "|",
                "-",
                "#",
                "h",
                "\n",
                "|\n",
                "![",
                "[](",
                "- ",
                "1. ",
                "> - ",
                "*a ",
                "*_",
                "a**b",
                "<a ",
                "<!--",
                "<?",
                "&amp;",
                "https://",
                "http://a(",
                "`a",
                "``` ",
                "\n```\n",
                "\n\n- ",
                "[a](b) ",
                "![a](http://b) ",
                "> a\n",
                "\u0301",
                "\u200D",
                "\uD83C\uDDE6",
                "\uD83D",
                "\u200B",
                "\u6F22",
                "@all",
                "[a]: b\n",
                "<br>",
                "*a_ b~~ c` ",
                "**w** [x](http://y.z) `c`.\n"
            })
    void takesLittleTimeWhateverIsRepeated(String text) {
        takesLittleTime(text.repeat(LENGTH / text.length()));
    }

    static List<String> bombs() {
        return List.of(
                "*".repeat(LENGTH / 2) + "x" + "*".repeat(LENGTH / 2),
                "![".repeat(LENGTH / 6) + "x" + "](http://u)".repeat(LENGTH / 15),
                "a|".repeat(10_000) + "\n" + "-|".repeat(10_000) + "\n" + "|a\n".repeat(20_000),
                "|" + "a".repeat(40_000) + "|b|\n|-|-|\n" + "|a|b\n".repeat(9_000),
                "[a]: http://" + "u".repeat(50_000) + "\n\n" + "[a] ".repeat(12_000),
                "1. ".repeat(20) + "x\n" + "y\n".repeat(9_000),
                "**x " + "*_".repeat(LENGTH / 2),
                "**x [" + "*~~".repeat(LENGTH / 3),
                ("**x " + "*_".repeat(1_500) + "\n\n").repeat(LENGTH / 3_000),
                "x https://x.org/" + "u".repeat(LENGTH),
                "x <a b=\"" + "\u03A3".repeat(LENGTH) + "\"> y",
                "```" + "\u03A3".repeat(LENGTH) + "\n" + "code\n".repeat(200) + "```");
    }

    @ParameterizedTest(name = "{index}")
    @MethodSource("bombs")
    void takesLittleTimeForWhatGrows(String bomb) {
        takesLittleTime(bomb);
    }

    private static void takesLittleTime(String reply) {
        for (MarkupLanguage markup : MarkupLanguage.values()) {
            List<String> parts = Assertions.assertTimeoutPreemptively(LONG, () -> MessageParts.of(reply, markup, 500));
            assertThat(parts).as("%s", markup).allMatch(part -> part.length() <= 500);
            assertThat(parts.stream().mapToLong(String::length).sum())
                    .as("%s", markup)
                    .isLessThan(12L * LENGTH);
        }
    }
}
