package dev.postern.channel.text;

/**
 * Slack's and WhatsApp's styles: marks that count at the edges of words, within one line, and no escape character. What
 * would be read as a mark is parted from its word by a zero-width space.
 */
abstract class MarkedDialect extends Dialect {

    private static final String FENCE = "```";
    private static final String PARTED_FENCE = "``" + Characters.ZERO_WIDTH + "`";

    @Override
    Wrap mark(Mark mark, Run run) {
        return switch (mark) {
            case BOLD -> apart("*", run);
            case ITALIC -> apart("_", run);
            case STRIKE -> apart("~", run);
            case CODE -> run.longest('`') > 0 ? Wrap.NONE : apart("`", run);
            case LINK -> Wrap.NONE;
        };
    }

    private static Wrap apart(String mark, Run run) {
        return new Wrap(
                Characters.isWord(run.before(run.from())) ? Characters.ZERO_WIDTH + mark : mark,
                Characters.isWord(run.at(run.to())) ? mark + Characters.ZERO_WIDTH : mark);
    }

    @Override
    Wrap fence(String language, String code) {
        return new Wrap(FENCE + "\n", "\n" + FENCE);
    }

    @Override
    void text(StringBuilder out, Run run) {
        boolean literal = run.isLiteral();
        for (int i = run.from(); i < run.to(); i++) {
            char c = run.text().charAt(i);
            if (c == '>' && i == run.lineFrom() && !literal) {
                out.append(Characters.ZERO_WIDTH);
            }
            character(out, c);
            if (!literal && opens(run, i, c)) {
                out.append(Characters.ZERO_WIDTH);
            }
        }
    }

    /** Whether {@code c} at {@code index} would begin a run: it stands before a word, and the line could close it. */
    private static boolean opens(Run run, int index, char c) {
        Mark mark =
                switch (c) {
                    case '*' -> Mark.BOLD;
                    case '_' -> Mark.ITALIC;
                    case '~' -> Mark.STRIKE;
                    case '`' -> Mark.CODE;
                    default -> Mark.LINK;
                };
        return mark != Mark.LINK
                && !Characters.isWord(run.before(index))
                && !Character.isWhitespace(run.at(index + 1))
                && run.recurs(index, c, mark);
    }

    @Override
    void code(StringBuilder out, String code) {
        String parted = code.replace(FENCE, PARTED_FENCE);
        for (int i = 0; i < parted.length(); i++) {
            character(out, parted.charAt(i));
        }
    }

    /** Writes a character of the text as the channel takes it. */
    abstract void character(StringBuilder out, char c);
}
