package dev.postern.channel.text;

/**
 * The styled mode of signal-cli-rest-api, after its src/utils/textstyleparser.go: a token is wherever one of its
 * characters stands, also within a word and within code; a backslash before it makes it text.
 */
final class SignalDialect extends Dialect {

    private static final String TOKENS = "*~`|";

    @Override
    Wrap mark(Mark mark, Run run) {
        return switch (mark) {
            case BOLD -> Wrap.both("**");
            case ITALIC -> Wrap.both("*");
            case STRIKE -> Wrap.both("~");
            case CODE -> Wrap.both("`");
            case LINK -> Wrap.NONE;
        };
    }

    @Override
    Wrap fence(String language, String code) {
        return Wrap.both("`");
    }

    /** Asterisks that follow each other are one token of three, and a backslash of the text would escape the mark. */
    @Override
    void put(StringBuilder out, String mark) {
        if (!out.isEmpty() && !mark.isEmpty()) {
            char last = out.charAt(out.length() - 1);
            if (last == '\\' || (last == '*' && mark.charAt(0) == '*')) {
                out.append(Characters.ZERO_WIDTH);
            }
        }
        out.append(mark);
    }

    @Override
    void text(StringBuilder out, Run run) {
        escape(out, run.text(), run.from(), run.to());
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
