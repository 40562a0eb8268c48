package dev.postern.channel.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Markdown from a seed: each word in it occurs once, as w1, w2 and so on, or t1 within a table. */
final class RandomMarkdown {

    private static final List<String> ODD = List.of(
            "\uD83D\uDC68\u200D\uD83D\uDC69\u200D\uD83D\uDC67\u200D\uD83D\uDC66",
            "\uD83C\uDDE6\uD83C\uDDF9\uD83C\uDDE9\uD83C\uDDEA",
            "\uD83D\uDC4D\uD83C\uDFFD\u2764\uFE0F",
            "e\u0301o\u0308\u0323",
            "\u05E9\u05DC\u05D5\u05DD \u0645\u0631\u062D\u0628\u0627",
            "\u0928\u092E\u0938\u094D\u0924\u0947",
            "\u6F22\u5B57\u4EEE\u540D",
            "*",
            "_",
            "**",
            "\\*",
            "~~",
            "`",
            "[",
            "](",
            "<b>",
            "<!here>",
            "&lt;",
            "&amp;amp;",
            "@everyone",
            "\\",
            "|",
            "||",
            ">",
            "#",
            "1.",
            "!");

    private final Random random;
    private final boolean tables;
    private final StringBuilder out = new StringBuilder();
    private final List<String> words = new ArrayList<>();

    private RandomMarkdown(long seed, boolean tables) {
        this.random = new Random(seed);
        this.tables = tables;
    }

    /** @param words the visible words in their order */
    record Text(String markdown, List<String> words) {}

    /** A text of about {@code length} characters. */
    static Text of(long seed, int length, boolean tables) {
        RandomMarkdown markdown = new RandomMarkdown(seed, tables);
        while (markdown.out.length() < length) {
            markdown.block("", 0);
            markdown.out.append('\n');
        }
        return new Text(markdown.out.toString(), markdown.words);
    }

    private void block(String indent, int depth) {
        switch (random.nextInt(depth > 2 ? 3 : 9)) {
            case 0 -> line(indent, "### ");
            case 1 -> fence(indent);
            case 2, 3, 4 -> paragraph(indent);
            case 5 -> list(indent, depth);
            case 6 -> {
                out.append(indent)
                        .append("> ")
                        .append(word("w"))
                        .append('\n')
                        .append(indent)
                        .append(">\n");
                block(indent + "> ", depth + 1);
            }
            case 7 -> table(indent);
            default -> line(indent, random.nextBoolean() ? "1. " : "- [x] ");
        }
    }

    private void paragraph(String indent) {
        for (int lines = 1 + random.nextInt(4); lines > 0; lines--) {
            line(indent, "");
        }
    }

    private void line(String indent, String mark) {
        out.append(indent).append(mark).append(word("w"));
        inlines(1 + random.nextInt(12));
        out.append('\n');
    }

    private void inlines(int count) {
        for (int i = 0; i < count; i++) {
            out.append(' ');
            String word = word("w");
            switch (random.nextInt(10)) {
                case 0 -> out.append("**").append(word).append("**");
                case 1 ->
                    out.append("**").append(word).append(" *").append(word("w")).append("***");
                case 2 -> out.append("~~").append(word).append("~~");
                case 3 -> out.append("`` ").append(word).append("`x ``");
                case 4 -> out.append('[').append(word).append("](https://x.org/a_b?c&d=(e))");
                case 5 ->
                    out.append("![")
                            .append(word)
                            .append("](https://x.org/")
                            .append("long".repeat(random.nextInt(40)))
                            .append(")");
                case 6 -> out.append(word).append(' ').append(odd());
                default -> out.append(word);
            }
        }
    }

    private String odd() {
        String odd = ODD.get(random.nextInt(ODD.size()));
        return random.nextInt(20) == 0 ? odd.repeat(1 + random.nextInt(80)) : odd;
    }

    private void fence(String indent) {
        String fence = "`".repeat(3 + random.nextInt(3));
        out.append(indent).append(fence).append("java\n");
        for (int lines = random.nextInt(12); lines >= 0; lines--) {
            out.append(indent).append("  ").append(word("w")).append(" `").append("<b> ** @all ");
            out.append(fence.length() > 3 ? "\n" + indent + "```" : "").append('\n');
        }
        out.append(indent).append(fence).append('\n');
    }

    private void list(String indent, int depth) {
        for (int items = 1 + random.nextInt(4); items > 0; items--) {
            out.append(indent).append("- ").append(word("w"));
            inlines(2);
            out.append("\n\n");
            if (random.nextInt(3) == 0) {
                block(indent + "  ", depth + 1);
            }
        }
    }

    private void table(String indent) {
        if (!tables) {
            return;
        }
        out.append('\n');
        for (int row = 0; row < 2 + random.nextInt(12); row++) {
            out.append(indent)
                    .append("| ")
                    .append(word("t"))
                    .append(" | **")
                    .append(word("t"))
                    .append("** |\n");
            out.append(row == 0 ? indent + "|---|--:|\n" : "");
        }
    }

    private String word(String prefix) {
        String word = prefix + (words.size() + 1) + ";";
        words.add(word);
        return word;
    }
}
