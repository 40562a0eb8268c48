package dev.postern.channel.text;

import java.util.List;
import java.util.Random;

/** A random mix of the elements of Markdown. */
final class MarkdownFuzzer {

    private static final List<String> PIECES = List.of(
            "*",
            "**",
            "_",
            "~~",
            "`",
            "```",
            "\n",
            "\n\n",
            "> ",
            "- ",
            "1. ",
            "# ",
            "[",
            "](",
            ")",
            "![",
            "!",
            "|",
            "|-|",
            "\n|-|-|\n",
            "===",
            "---",
            "a",
            "b c",
            "word",
            "<b>",
            "</b>",
            "<!--",
            "<br>",
            "&amp;",
            "&lt;",
            "&#10;",
            "&#1;",
            "@all",
            "@everyone",
            "\\",
            "http://a.b/c",
            "https://x.y/z_(q)",
            "mailto:x@y.z",
            "<x@y.z>",
            "[a]: http://q.r\n",
            "[a]",
            "  ",
            "    ",
            "\t",
            "\r\n",
            "\uD83D\uDE00",
            "\u200D",
            "\u0301",
            "\uD83C\uDDE6",
            "\u6F22",
            "\u00A0",
            "\u200B",
            "\uD800");

    private MarkdownFuzzer() {}

    static String of(long seed) {
        Random random = new Random(seed);
        StringBuilder soup = new StringBuilder();
        for (int left = random.nextInt(random.nextInt(20) == 0 ? 600 : 60); left > 0; left--) {
            String piece = PIECES.get(random.nextInt(PIECES.size()));
            soup.append(piece.repeat(random.nextInt(40) == 0 ? 1 + random.nextInt(60) : 1));
        }
        return soup.toString();
    }
}
