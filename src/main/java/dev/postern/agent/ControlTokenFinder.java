package dev.postern.agent;

import java.util.Arrays;

/**
 * A finder of text that chat models take for a control token: the end of a message or the beginning of another, a tool call,
 * a thought or a picture. Examples are {@code <|im_start|>}, {@code <|turn>}, {@code [INST]}, {@code <tool_call>} and
 * {@code <seed:think>}, also in compatibility forms and with invisible characters. The shape decides, brackets and bars. If
 * ordinary text has the same shape, {@link ControlTokenNames} decides.
 */
final class ControlTokenFinder {

    private static final int FULLWIDTH_BAR = 0xFF5C;
    private static final int WORD_BEGINS = 0x2581;
    private static final int FLORET = 0x273F;
    private static final String CALLS = "functools";

    /** Characters that sometimes stand in place of bars, and elsewhere too, so that the name decides. */
    private static final String SIGNS = "#~*^";

    /** The angle bracket of ASCII and its compatibility forms. */
    private static final String ANGLES = "<\uFE64\uFF1C";

    /** The most characters of a name between a tilde and a bracket. */
    private static final int MAX_TILDE_NAME = 3;

    /** The characters at which a token may begin. */
    private static final boolean[] MAY_OPEN = mayOpen();

    private final String text;
    private final ControlTokenNameReader reader;
    private String label = "";
    private int tokenStart;
    private int tokenEnd;

    private ControlTokenFinder(String text, boolean tagsAreRead) {
        this.text = text;
        this.reader = new ControlTokenNameReader(text, tagsAreRead);
    }

    /** {@code text} with each token in it replaced by the token's name, in words that no model takes for a token. */
    static String replaced(String text, boolean tagsAreRead) {
        return new ControlTokenFinder(text, tagsAreRead).replaced();
    }

    private String replaced() {
        StringBuilder result = null;
        int kept = 0;
        int at = 0;
        while (true) {
            while (at < text.length() && !MAY_OPEN[text.charAt(at)]) {
                at++;
            }
            if (at == text.length()) {
                break;
            }
            reader.begin(at);
            at = reader.next();
            tokenStart = reader.start();
            if ((isToken() || isSpacedToken()) && tokenStart >= kept) {
                result = result == null ? new StringBuilder(text.length() + 32) : result;
                result.append(text, kept, tokenStart)
                        .append("(control token ")
                        .append(label)
                        .append(')');
                kept = tokenEnd;
                at = tokenEnd;
            }
        }
        return result == null ? text : result.append(text, kept, text.length()).toString();
    }

    private static boolean[] mayOpen() {
        boolean[] may = new boolean[Character.MIN_SUPPLEMENTARY_CODE_POINT];
        for (int c = 0; c < may.length; c++) {
            may[c] = "<[]".indexOf(c) >= 0 || CharacterReference.isAmpersand(c) || LookAlikeCharacters.isBracket(c);
        }
        may[FULLWIDTH_BAR] = true;
        may[WORD_BEGINS] = true;
        may[FLORET] = true;
        Arrays.fill(may, Character.MIN_HIGH_SURROGATE, Character.MAX_HIGH_SURROGATE + 1, true);
        return may;
    }

    /** Whether a token begins there if white space that is passed over otherwise, such as a carriage return, is a space. */
    private boolean isSpacedToken() {
        return reader.beginSpaced(tokenStart) && isToken();
    }

    /** Whether a token begins with the character that the reader is at. */
    private boolean isToken() {
        int written = reader.codePoint();
        return switch (reader.current()) {
            case '<' -> isInAngle();
            case '[' -> isInSquare();
            case ']' -> isBehindBracket();
            case '|' -> written == FULLWIDTH_BAR && isBetween("alone", '|');
            case FLORET -> isBetween("flowered", FLORET);
            case '_' -> written == WORD_BEGINS && isPrompted();
            default -> false;
        };
    }

    private boolean isInAngle() {
        boolean isAngle = ANGLES.indexOf(reader.codePoint()) >= 0;
        reader.advance();
        boolean gap = reader.skips(' ');
        if (!gap && reader.accepts('<')) {
            reader.accepts('/');
            String name = reader.name();
            return !name.isEmpty()
                    && reader.acceptsAll(">>")
                    && ControlTokenNames.isWritten("doubled", name, reader.isDisguised())
                    && ends(name);
        }
        if (!gap && reader.accepts('[')) {
            String name = reader.content();
            return reader.acceptsAll("]>")
                    && reader.letters() > 2
                    && ControlTokenNameReader.isIdentifier(name)
                    && ends(name);
        }
        int sign = reader.current();
        if (!gap && SIGNS.indexOf(sign) >= 0) {
            reader.advance();
            String name = reader.name();
            return reader.accepts(sign) && reader.accepts('>') && ControlTokenNames.isBarred(name) && ends(name);
        }
        reader.accepts('/');
        return reader.skips('|') ? isBarredAngle(reader.skips(' ') || gap) : !gap && isTag(isAngle);
    }

    /**
     * {@code <name>}, {@code <name|>}, {@code <name=} and {@code <name attribute}.
     *
     * @param isAngle whether it begins with an angle bracket or a compatibility form, and not with a look-alike
     */
    private boolean isTag(boolean isAngle) {
        String name = reader.name();
        boolean disguised = reader.isDisguised();
        if (name.isEmpty()) {
            return false;
        }
        if (reader.accepts('>')) {
            boolean named = ControlTokenNames.isTag(name, disguised) || (isAngle && ControlTokenNames.isNative(name));
            return named ? ends(name) : ControlTokenNames.isWritten("telling", name, disguised) && isRoleTag(name);
        }
        int nameEnd = reader.behind();
        if (reader.skips('|')) {
            boolean isName = reader.letters() > 1;
            String suffix = reader.name();
            boolean isWhole = suffix.isEmpty() || ControlTokenNames.isWritten("behind", suffix, reader.isDisguised());
            return isName && isWhole && reader.accepts('>') && ends(name);
        }
        return switch (reader.current()) {
            case '=' -> ControlTokenNames.isValued(name) && ends(name, nameEnd);
            case ControlTokenNameReader.END -> ControlTokenNames.isAttributed(name) && ends(name, nameEnd);
            case ' ', '\n', '\t' -> ControlTokenNames.isAttributed(name) && isBeforeAttribute() && ends(name, nameEnd);
            default -> false;
        };
    }

    /** A role's name between two tags. */
    private boolean isRoleTag(String tag) {
        String name = reader.name();
        return ControlTokenNames.isWritten("told", name, reader.isDisguised())
                && reader.acceptsAll("</")
                && reader.name().equalsIgnoreCase(tag)
                && reader.accepts('>')
                && ends(tag + ' ' + name);
    }

    private boolean isBeforeAttribute() {
        boolean gap = true;
        while (gap) {
            gap = reader.skips(' ') || reader.skips('\n') || reader.skips('\t');
        }
        return Character.isLetter(reader.current());
    }

    /**
     * A token with a bar behind its opening bracket: {@code <|name|>}, {@code <|name>} and {@code <|namespace|name}.
     *
     * @param gap whether white space stands beside the bar
     */
    private boolean isBarredAngle(boolean gap) {
        reader.accepts('/');
        if (reader.accepts('"')) {
            return reader.skips('|') && reader.accepts('>') && ends("quote");
        }
        String name = reader.content();
        if (reader.letters() < 2 || !ControlTokenNameReader.isBegun(name)) {
            return false;
        }
        boolean spaced = gap || name.endsWith(" ");
        boolean identifier = ControlTokenNameReader.isIdentifier(name);
        if (reader.accepts('>')) {
            return !spaced && identifier && ends(name);
        }
        if (!reader.skips('|')) {
            return false;
        }
        spaced |= reader.skips(' ');
        if (reader.accepts('>')) {
            return (!spaced || ControlTokenNames.isPhrase(name)) && ends(name);
        }
        return !spaced && identifier && isBehind(name);
    }

    private boolean isBehind(String namespace) {
        reader.accepts('/');
        String name = reader.name();
        if (name.isEmpty() || !ControlTokenNames.isNamespaced(namespace, name)) {
            return false;
        }
        reader.accepts('>');
        return ends(namespace + ' ' + name);
    }

    /** {@code [NAME]}, {@code [|name|]}, {@code [e~[} and the bracket behind which a model writes its calls. */
    private boolean isInSquare() {
        int opening = reader.start();
        int openingEnd = reader.next();
        reader.advance();
        int callsStart = reader.startBefore(opening, CALLS);
        if (callsStart >= 0) {
            tokenStart = callsStart;
            return ends(CALLS, openingEnd);
        }
        if (reader.accepts('|')) {
            String name = reader.content();
            return reader.accepts('|') && reader.accepts(']') && ControlTokenNames.isBarred(name) && ends(name);
        }
        reader.accepts('/');
        String name = reader.name();
        if (name.isEmpty()) {
            return false;
        }
        boolean disguised = reader.isDisguised();
        if (reader.accepts(']')) {
            return ControlTokenNames.isSquare(name, disguised) && ends(name);
        }
        return name.length() <= MAX_TILDE_NAME && reader.accepts('~') && reader.accepts('[') && ends(name);
    }

    /**
     * {@code ]~b]}, {@code ]~!b[}, {@code ]!p~[} and {@code ]<]name[>[}. The excluded {@code ]~b[} contains an operator of
     * some languages.
     */
    private boolean isBehindBracket() {
        reader.advance();
        if (reader.accepts('<')) {
            String name = reader.accepts(']') ? reader.content() : "";
            return !name.isBlank() && reader.acceptsAll("[>[") && ends(name);
        }
        boolean tilde = reader.accepts('~');
        boolean mark = reader.accepts('!');
        if (!tilde && !mark) {
            return false;
        }
        String name = reader.name();
        boolean tildeBehind = reader.accepts('~');
        boolean pointsOut = reader.accepts('[');
        boolean shaped = pointsOut ? mark && (tilde || tildeBehind) : tilde && reader.accepts(']');
        return shaped && !name.isEmpty() && name.length() <= MAX_TILDE_NAME && ends(name);
    }

    /** A name of the list {@code list} between two signs of one kind. */
    private boolean isBetween(String list, int sign) {
        int written = reader.codePoint();
        reader.advance();
        String name = reader.name();
        return reader.codePoint() == written
                && reader.accepts(sign)
                && ControlTokenNames.isWritten(list, name, reader.isDisguised())
                && ends(name);
    }

    /** A tag that is a token only behind a mark for the beginning of a word. */
    private boolean isPrompted() {
        reader.advance();
        if (!reader.accepts('<')) {
            return false;
        }
        String name = reader.name();
        return reader.accepts('>') && ControlTokenNames.isWritten("prompted", name, reader.isDisguised()) && ends(name);
    }

    private boolean ends(String name) {
        return ends(name, reader.behind());
    }

    /** Records the token that was found; always true. */
    private boolean ends(String name, int index) {
        tokenEnd = index;
        label = ControlTokenNames.inWords(name);
        return true;
    }
}
