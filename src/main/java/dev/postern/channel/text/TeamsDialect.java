package dev.postern.channel.text;

/**
 * The dialect of Markdown in Teams: bold, italic, lists and links; code in a bot's message, but not in an Adaptive Card's
 * text block. Teams ends a line only at the end of a paragraph.
 */
final class TeamsDialect extends MarkdownDialect {

    private final boolean code;

    TeamsDialect(boolean code) {
        this.code = code;
    }

    @Override
    String lineBreak() {
        return "\n\n";
    }

    @Override
    boolean fences() {
        return code;
    }

    @Override
    Tables tables() {
        return code ? Tables.ALIGNED : Tables.NAMED;
    }

    @Override
    Delimiters mark(TextStyle textStyle, StyledSpan styledSpan) {
        return textStyle == TextStyle.STRIKE || (textStyle == TextStyle.CODE && !code)
                ? Delimiters.NONE
                : super.mark(textStyle, styledSpan);
    }
}
