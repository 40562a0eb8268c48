package dev.postern.channel.text;

import java.util.List;
import java.util.regex.Pattern;

/** What the channels have in common that read Markdown themselves: each reads another part of it. */
abstract class MarkdownDialect extends Dialect {

    private static final String ALWAYS = "\\*`~[]|";
    private static final String AT_LINE_START = "#>+-=";

    private static final Pattern REFERENCE = Pattern.compile("&(#[0-9]+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);");
    private static final int LONGEST_REFERENCE = 40;

    /** More backticks than this in a row don't become code, whose mark could be taken for a fence. */
    private static final int MOST_BACKTICKS = 1;

    /** A fence isn't longer than for code with so many in a row. */
    private static final int MOST_BACKTICKS_FENCED = 8;

    @Override
    String bullet() {
        return "- ";
    }

    @Override
    boolean indentsByMarker() {
        return true;
    }

    @Override
    boolean links(Address address, String label) {
        return true;
    }

    /** Names that would call everybody where they follow an @, in lower case. */
    List<String> everybody() {
        return List.of();
    }

    @Override
    Wrap link(String url) {
        String closed = url.replace("(", "%28").replace(")", "%29");
        return new Wrap("[", "](" + calm(closed) + ")");
    }

    /** An underscore is no mark within a word, and an asterisk none against another; so each where it is one. */
    @Override
    Wrap mark(Mark mark, Run run) {
        return switch (mark) {
            case BOLD -> Wrap.both("**");
            case ITALIC -> Wrap.both(touchesWord(run) ? "*" : "_");
            case STRIKE -> Wrap.both("~~");
            case CODE -> codeSpan(run);
            case LINK -> Wrap.NONE;
        };
    }

    private static boolean touchesWord(Run run) {
        return isOfWord(run.before(run.from())) || isOfWord(run.at(run.to()));
    }

    private static boolean isOfWord(char c) {
        return Characters.isWord(c) || c == '_';
    }

    private static Wrap codeSpan(Run run) {
        int longest = run.longest('`');
        if (longest > MOST_BACKTICKS) {
            return Wrap.NONE;
        }
        if (longest == 0) {
            return Wrap.both("`");
        }
        String ticks = "`".repeat(longest + 1);
        return new Wrap(ticks + " ", " " + ticks);
    }

    @Override
    Wrap fence(String language, String code) {
        int longest = Run.longest(code, 0, code.length(), '`');
        String ticks = "`".repeat(longest > MOST_BACKTICKS_FENCED ? 3 : Math.max(3, longest + 1));
        return new Wrap(ticks + language + "\n", "\n" + ticks);
    }

    @Override
    void code(StringBuilder out, String code) {
        boolean tooMany = Run.longest(code, 0, code.length(), '`') > MOST_BACKTICKS_FENCED;
        out.append(tooMany ? partedFences(code) : code);
    }

    static String partedFences(String code) {
        return code.replace("```", "``" + Characters.ZERO_WIDTH + "`");
    }

    /** Marks of one kind against each other are one longer mark, and an exclamation mark makes an image of a link. */
    @Override
    void put(StringBuilder out, String mark) {
        if (!out.isEmpty() && !mark.isEmpty()) {
            char last = out.charAt(out.length() - 1);
            char first = mark.charAt(0);
            if ((last == first && "*_~`".indexOf(first) >= 0) || (last == '!' && first == '[')) {
                out.append(Characters.ZERO_WIDTH);
            }
        }
        out.append(mark);
    }

    @Override
    void text(StringBuilder out, Run run) {
        if (run.isLiteral()) {
            out.append(calm(run.content()));
            return;
        }
        for (int i = run.from(); i < run.to(); i++) {
            char c = run.text().charAt(i);
            if (isMarkup(run, i, c)) {
                out.append('\\').append(c);
            } else if (c == '@') {
                out.append(callsEverybody(run.text(), i) ? "@" + Characters.ZERO_WIDTH : "@");
            } else {
                character(out, run, i);
            }
        }
    }

    /** Writes a character that no backslash is put before. */
    void character(StringBuilder out, Run run, int index) {
        out.append(run.at(index));
    }

    /** Whether a character reference begins at {@code index}, which would be read as what it stands for. */
    static boolean isReference(Run run, int index) {
        int end = Math.min(run.lineTo(), index + LONGEST_REFERENCE);
        return run.at(index) == '&'
                && REFERENCE.matcher(run.text()).region(index, end).lookingAt();
    }

    private static boolean isMarkup(Run run, int index, char c) {
        if (ALWAYS.indexOf(c) >= 0) {
            return true;
        }
        if (c == '_') {
            return !Characters.isWord(run.before(index)) || !Characters.isWord(run.at(index + 1));
        }
        if (AT_LINE_START.indexOf(c) >= 0) {
            return isAtLineStart(run, index);
        }
        return (c == '.' || c == ')') && Character.isWhitespace(run.at(index + 1)) && endsNumber(run, index);
    }

    private static boolean isAtLineStart(Run run, int index) {
        int first = index;
        while (first > run.lineFrom() && isQuiet(run, first - 1)) {
            first--;
        }
        return first == run.lineFrom();
    }

    /** What may stand before a block's mark: white space, and the marks of the blocks around it. */
    private static boolean isQuiet(Run run, int index) {
        boolean literal = (run.block().marksAt(index) & Mark.LITERAL) != 0;
        return Character.isWhitespace(run.text().charAt(index))
                || (literal && run.block().linkAt(index) == null);
    }

    private static boolean endsNumber(Run run, int index) {
        int first = index;
        while (first > run.lineFrom()
                && index - first < 10
                && isDigit(run.text().charAt(first - 1))) {
            first--;
        }
        return first < index && isAtLineStart(run, first);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private boolean callsEverybody(String text, int at) {
        return everybody().stream().anyMatch(name -> text.regionMatches(true, at + 1, name, 0, name.length()));
    }

    private String calm(String address) {
        if (address.indexOf('@') < 0) {
            return address;
        }
        StringBuilder calm = new StringBuilder(address.length());
        for (int i = 0; i < address.length(); i++) {
            boolean calls = address.charAt(i) == '@' && callsEverybody(address, i);
            calm.append(calls ? "%40" : String.valueOf(address.charAt(i)));
        }
        return calm.toString();
    }
}
