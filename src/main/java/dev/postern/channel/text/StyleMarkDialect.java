package dev.postern.channel.text;

/**
 * The common base of the dialects of Slack and WhatsApp. Their delimiters count at the edges of words within one line, and
 * there is no escape character. A zero-width space separates a character that would be read as a delimiter from its word.
 */
abstract class StyleMarkDialect extends MarkupDialect {

    private static final String FENCE = "```";
    private static final String PARTED_FENCE = "``" + CharacterClasses.ZERO_WIDTH + "`";

    @Override
    Delimiters mark(TextStyle textStyle, StyledSpan styledSpan) {
        return switch (textStyle) {
            case BOLD -> apart("*", styledSpan);
            case ITALIC -> apart("_", styledSpan);
            case STRIKE -> apart("~", styledSpan);
            case CODE -> styledSpan.longest('`') > 0 ? Delimiters.NONE : apart("`", styledSpan);
            case LINK -> Delimiters.NONE;
        };
    }

    private static Delimiters apart(String mark, StyledSpan styledSpan) {
        return new Delimiters(
                CharacterClasses.isWord(styledSpan.before(styledSpan.from()))
                        ? CharacterClasses.ZERO_WIDTH + mark
                        : mark,
                CharacterClasses.isWord(styledSpan.at(styledSpan.to())) ? mark + CharacterClasses.ZERO_WIDTH : mark);
    }

    @Override
    Delimiters fence(String language, String code) {
        return new Delimiters(FENCE + "\n", "\n" + FENCE);
    }

    @Override
    void text(StringBuilder out, StyledSpan styledSpan) {
        boolean literal = styledSpan.isLiteral();
        for (int i = styledSpan.from(); i < styledSpan.to(); i++) {
            char c = styledSpan.text().charAt(i);
            if (c == '>' && i == styledSpan.lineFrom() && !literal) {
                out.append(CharacterClasses.ZERO_WIDTH);
            }
            character(out, c);
            if (!literal && opens(styledSpan, i, c)) {
                out.append(CharacterClasses.ZERO_WIDTH);
            }
        }
    }

    /** Whether {@code c} at {@code index} would open a style: it is before a word, and the line could close the style. */
    private static boolean opens(StyledSpan styledSpan, int index, char c) {
        TextStyle textStyle =
                switch (c) {
                    case '*' -> TextStyle.BOLD;
                    case '_' -> TextStyle.ITALIC;
                    case '~' -> TextStyle.STRIKE;
                    case '`' -> TextStyle.CODE;
                    default -> TextStyle.LINK;
                };
        return textStyle != TextStyle.LINK
                && !CharacterClasses.isWord(styledSpan.before(index))
                && !Character.isWhitespace(styledSpan.at(index + 1))
                && styledSpan.recurs(index, c, textStyle);
    }

    @Override
    void code(StringBuilder out, String code) {
        String parted = code.replace(FENCE, PARTED_FENCE);
        for (int i = 0; i < parted.length(); i++) {
            character(out, parted.charAt(i));
        }
    }

    /** Writes a character of the text as the channel needs it. */
    abstract void character(StringBuilder out, char c);
}
