package dev.postern.channel.text;

import java.util.List;
import java.util.regex.Pattern;

/** The common base of the dialects for channels that read Markdown themselves, each a different subset of it. */
abstract class MarkdownDialect extends MarkupDialect {

    private static final String ALWAYS = "\\*`~[]|";
    private static final String AT_LINE_START = "#>+-=";

    private static final Pattern REFERENCE = Pattern.compile("&(#[0-9]+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);");
    private static final int LONGEST_REFERENCE = 40;

    /** Inline code with more backticks in a row is written as text, because its delimiter could be read as a fence. */
    private static final int MOST_BACKTICKS = 1;

    /** Limit of backticks in a row in fenced code up to which the fence grows. */
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
    boolean links(LinkAddress address, String label) {
        return true;
    }

    /** Names in lower case that, after an @, would notify all members of a conversation. */
    List<String> massMentions() {
        return List.of();
    }

    @Override
    Delimiters link(String url) {
        String closed = url.replace("(", "%28").replace(")", "%29");
        return new Delimiters("[", "](" + withoutMentions(closed) + ")");
    }

    /** The delimiters of a style. An underscore does not work within a word, nor an asterisk next to another one. */
    @Override
    Delimiters mark(TextStyle textStyle, StyledSpan styledSpan) {
        return switch (textStyle) {
            case BOLD -> Delimiters.both("**");
            case ITALIC -> Delimiters.both(touchesWord(styledSpan) ? "*" : "_");
            case STRIKE -> Delimiters.both("~~");
            case CODE -> codeSpan(styledSpan);
            case LINK -> Delimiters.NONE;
        };
    }

    private static boolean touchesWord(StyledSpan styledSpan) {
        return isOfWord(styledSpan.before(styledSpan.from())) || isOfWord(styledSpan.at(styledSpan.to()));
    }

    private static boolean isOfWord(char c) {
        return CharacterClasses.isWord(c) || c == '_';
    }

    private static Delimiters codeSpan(StyledSpan styledSpan) {
        int longest = styledSpan.longest('`');
        if (longest > MOST_BACKTICKS) {
            return Delimiters.NONE;
        }
        if (longest == 0) {
            return Delimiters.both("`");
        }
        String ticks = "`".repeat(longest + 1);
        return new Delimiters(ticks + " ", " " + ticks);
    }

    @Override
    Delimiters fence(String language, String code) {
        int longest = StyledSpan.longest(code, 0, code.length(), '`');
        String ticks = "`".repeat(longest > MOST_BACKTICKS_FENCED ? 3 : Math.max(3, longest + 1));
        return new Delimiters(ticks + language + "\n", "\n" + ticks);
    }

    @Override
    void code(StringBuilder out, String code) {
        boolean tooMany = StyledSpan.longest(code, 0, code.length(), '`') > MOST_BACKTICKS_FENCED;
        out.append(tooMany ? partedFences(code) : code);
    }

    static String partedFences(String code) {
        return code.replace("```", "``" + CharacterClasses.ZERO_WIDTH + "`");
    }

    /** Writes a delimiter, separated from an equal one, which would form a longer one, and from a ! before a link. */
    @Override
    void put(StringBuilder out, String mark) {
        if (!out.isEmpty() && !mark.isEmpty()) {
            char last = out.charAt(out.length() - 1);
            char first = mark.charAt(0);
            if ((last == first && "*_~`".indexOf(first) >= 0) || (last == '!' && first == '[')) {
                out.append(CharacterClasses.ZERO_WIDTH);
            }
        }
        out.append(mark);
    }

    @Override
    void text(StringBuilder out, StyledSpan styledSpan) {
        if (styledSpan.isLiteral()) {
            out.append(withoutMentions(styledSpan.content()));
        } else {
            escaped(out, styledSpan);
        }
    }

    /** Writes text with a backslash before each character that would be markup. */
    final void escaped(StringBuilder out, StyledSpan styledSpan) {
        for (int i = styledSpan.from(); i < styledSpan.to(); i++) {
            char c = styledSpan.text().charAt(i);
            if (isMarkup(styledSpan, i, c) || isCommand(styledSpan, i)) {
                out.append('\\').append(c);
            } else {
                character(out, styledSpan, i);
            }
            if (isMention(styledSpan.text(), styledSpan.from(), i) || isReference(styledSpan.text(), i)) {
                out.append(CharacterClasses.ZERO_WIDTH);
            }
        }
    }

    /** Whether the character is the @ of a mention in the text that begins at {@code from}. */
    boolean isMention(String text, int from, int index) {
        return text.charAt(index) == '@'
                && massMentions().stream()
                        .anyMatch(name -> text.regionMatches(true, index + 1, name, 0, name.length()));
    }

    /** Whether a zero-width character behind the one at {@code index} keeps the channel from reading a reference. */
    boolean isReference(String text, int index) {
        return false;
    }

    /** Whether a command to the channel would begin at {@code index}. */
    boolean isCommand(StyledSpan styledSpan, int index) {
        return false;
    }

    /** Writes a character that needs no backslash, so that it begins no HTML and no character reference. */
    void character(StringBuilder out, StyledSpan styledSpan, int index) {
        if (styledSpan.at(index) == '<') {
            out.append("&lt;");
        } else {
            out.append(styledSpan.at(index)).append(isCharacterReference(styledSpan, index) ? "amp;" : "");
        }
    }

    /** Whether a character reference begins at {@code index}, which the channel would decode. */
    static boolean isCharacterReference(StyledSpan styledSpan, int index) {
        int end = Math.min(styledSpan.lineTo(), index + LONGEST_REFERENCE);
        return styledSpan.at(index) == '&'
                && REFERENCE.matcher(styledSpan.text()).region(index, end).lookingAt();
    }

    private static boolean isMarkup(StyledSpan styledSpan, int index, char c) {
        if (ALWAYS.indexOf(c) >= 0) {
            return true;
        }
        if (c == '_') {
            return !CharacterClasses.isWord(styledSpan.before(index))
                    || !CharacterClasses.isWord(styledSpan.at(index + 1));
        }
        if (AT_LINE_START.indexOf(c) >= 0) {
            return isAtLineStart(styledSpan, index);
        }
        return (c == '.' || c == ')')
                && Character.isWhitespace(styledSpan.at(index + 1))
                && endsNumber(styledSpan, index);
    }

    /** Whether the character is the first of a line, apart from the markers of the blocks around it. */
    static boolean isAtLineStart(StyledSpan styledSpan, int index) {
        int first = index;
        while (first > styledSpan.lineFrom() && isQuiet(styledSpan, first - 1)) {
            first--;
        }
        return first == styledSpan.lineFrom();
    }

    /** Whether the character may precede a block's marker: white space, and the markers of the blocks around it. */
    private static boolean isQuiet(StyledSpan styledSpan, int index) {
        boolean literal = (styledSpan.block().marksAt(index) & TextStyle.LITERAL) != 0;
        return Character.isWhitespace(styledSpan.text().charAt(index))
                || (literal && styledSpan.block().linkAt(index) == null);
    }

    private static boolean endsNumber(StyledSpan styledSpan, int index) {
        int first = index;
        while (first > styledSpan.lineFrom()
                && index - first < 10
                && isDigit(styledSpan.text().charAt(first - 1))) {
            first--;
        }
        return first < index && isAtLineStart(styledSpan, first);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** An address with each @ that would be a mention percent-encoded. */
    final String withoutMentions(String address) {
        if (address.indexOf('@') < 0) {
            return address;
        }
        StringBuilder calm = new StringBuilder(address.length());
        for (int i = 0; i < address.length(); i++) {
            calm.append(isMention(address, 0, i) ? "%40" : String.valueOf(address.charAt(i)));
        }
        return calm.toString();
    }
}
