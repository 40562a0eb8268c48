package dev.postern.channel.text;

/**
 * Telegram's HTML mode, after the notes of Bot API 10.1's "Formatting options": code holds no other styles and is held by
 * none, and quotes don't nest.
 */
final class TelegramDialect extends Dialect {

    @Override
    boolean links(Address address, String label) {
        return address.isWeb() || address.url().startsWith("mailto:");
    }

    @Override
    Wrap link(String url) {
        StringBuilder open = new StringBuilder("<a href=\"");
        escape(open, url, 0, url.length());
        return new Wrap(open.append("\">").toString(), "</a>");
    }

    @Override
    Wrap mark(Mark mark, Run run) {
        return switch (mark) {
            case BOLD -> tag("b");
            case ITALIC -> tag("i");
            case STRIKE -> tag("s");
            case CODE -> tag("code");
            case LINK -> Wrap.NONE;
        };
    }

    @Override
    int code(int marks, boolean inLink) {
        return inLink ? marks : Mark.CODE.bit();
    }

    @Override
    Wrap fence(String language, String code) {
        return language.isEmpty()
                ? tag("pre")
                : new Wrap("<pre><code class=\"language-" + language + "\">", "</code></pre>");
    }

    @Override
    Wrap quote() {
        return tag("blockquote");
    }

    @Override
    String quotePrefix() {
        return "";
    }

    @Override
    void text(StringBuilder out, Run run) {
        escape(out, run.text(), run.from(), run.to());
    }

    @Override
    void code(StringBuilder out, String code) {
        escape(out, code, 0, code.length());
    }

    private static Wrap tag(String name) {
        return new Wrap("<" + name + ">", "</" + name + ">");
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
