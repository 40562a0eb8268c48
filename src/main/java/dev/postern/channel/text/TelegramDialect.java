package dev.postern.channel.text;

/**
 * The dialect of Telegram's HTML mode, after the notes in "Formatting options" of Bot API 10.1: code can't be combined with
 * other styles, and quotes don't nest.
 */
final class TelegramDialect extends MarkupDialect {

    @Override
    boolean links(LinkAddress address, String label) {
        return address.isWeb() || address.url().startsWith("mailto:");
    }

    @Override
    Delimiters link(String url) {
        StringBuilder open = new StringBuilder("<a href=\"");
        escape(open, url, 0, url.length());
        return new Delimiters(open.append("\">").toString(), "</a>");
    }

    @Override
    Delimiters mark(TextStyle textStyle, StyledSpan styledSpan) {
        return switch (textStyle) {
            case BOLD -> tag("b");
            case ITALIC -> tag("i");
            case STRIKE -> tag("s");
            case CODE -> tag("code");
            case LINK -> Delimiters.NONE;
        };
    }

    @Override
    int code(int marks, boolean inLink) {
        return inLink ? marks : TextStyle.CODE.bit();
    }

    @Override
    Delimiters fence(String language, String code) {
        return language.isEmpty()
                ? tag("pre")
                : new Delimiters("<pre><code class=\"language-" + language + "\">", "</code></pre>");
    }

    @Override
    Delimiters quote() {
        return tag("blockquote");
    }

    @Override
    String quotePrefix() {
        return "";
    }

    @Override
    void text(StringBuilder out, StyledSpan styledSpan) {
        int written = styledSpan.from();
        for (int i = written; i < styledSpan.to() && !styledSpan.isLiteral(); i++) {
            if (CharacterClasses.isMention(styledSpan.text(), styledSpan.from(), i)) {
                escape(out, styledSpan.text(), written, i + 1);
                out.append(CharacterClasses.ZERO_WIDTH); // else it would notify a person
                written = i + 1;
            }
        }
        escape(out, styledSpan.text(), written, styledSpan.to());
    }

    @Override
    void code(StringBuilder out, String code) {
        escape(out, code, 0, code.length());
    }

    private static Delimiters tag(String name) {
        return new Delimiters("<" + name + ">", "</" + name + ">");
    }

    private static void escape(StringBuilder out, String text, int from, int to) {
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                default -> out.append(c);
            }
        }
    }
}
