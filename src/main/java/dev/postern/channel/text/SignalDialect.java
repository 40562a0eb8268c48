package dev.postern.channel.text;

/**
 * The dialect of signal-cli-rest-api's styled mode, after its src/utils/textstyleparser.go. A token counts anywhere, even
 * within a word or within code; a backslash before it makes it text.
 */
final class SignalDialect extends MarkupDialect {

    private static final String TOKENS = "*~`|";

    @Override
    Delimiters mark(TextStyle textStyle, StyledSpan styledSpan) {
        return switch (textStyle) {
            case BOLD -> Delimiters.both("**");
            case ITALIC -> Delimiters.both("*");
            case STRIKE -> Delimiters.both("~");
            case CODE -> Delimiters.both("`");
            case LINK -> Delimiters.NONE;
        };
    }

    @Override
    Delimiters fence(String language, String code) {
        return Delimiters.both("`");
    }

    /** Writes a delimiter, separated from an asterisk, which would join it, or a backslash, which would escape it. */
    @Override
    void put(StringBuilder out, String mark) {
        if (!out.isEmpty() && !mark.isEmpty()) {
            char last = out.charAt(out.length() - 1);
            if (last == '\\' || (last == '*' && mark.charAt(0) == '*')) {
                out.append(CharacterClasses.ZERO_WIDTH);
            }
        }
        out.append(mark);
    }

    @Override
    void text(StringBuilder out, StyledSpan styledSpan) {
        escape(out, styledSpan.text(), styledSpan.from(), styledSpan.to());
    }

    @Override
    void code(StringBuilder out, String code) {
        escape(out, code, 0, code.length());
    }

    private static void escape(StringBuilder out, String text, int from, int to) {
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (TOKENS.indexOf(c) >= 0) {
                out.append('\\');
            }
            out.append(c);
        }
    }
}
