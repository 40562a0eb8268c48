package dev.postern.channel.text;

/**
 * How a channel wants things written. What is not overridden is as in a channel without any markup. The markup around one
 * run, of all kinds together, is bounded to less than half of the shortest part.
 */
abstract class MarkupDialect {

    /** What becomes of a table. */
    enum Tables {
        /** It stays one. */
        KEPT,
        /** Its columns are aligned within a code block. */
        ALIGNED,
        /** A line for each cell, with the column's name before it. */
        NAMED
    }

    static MarkupDialect of(MarkupLanguage markup) {
        return switch (markup) {
            case DISCORD -> new DiscordDialect();
            case MATTERMOST -> new MattermostDialect();
            case TEAMS -> new TeamsDialect(true);
            case CARD -> new TeamsDialect(false);
            case SLACK -> new SlackDialect();
            case TELEGRAM -> new TelegramDialect();
            case WHATSAPP -> new WhatsAppDialect();
            case SIGNAL -> new SignalDialect();
            case PLAIN -> new PlainDialect();
            case RAW -> new VerbatimDialect();
        };
    }

    /** What stands before a list's items. */
    String bullet() {
        return "• ";
    }

    /** Whether what belongs to an item has to be indented by as much as its marker is long. */
    boolean indentsByMarker() {
        return false;
    }

    String box(boolean done) {
        return done ? "☑ " : "☐ ";
    }

    /** What stands before a heading, or nothing where it is to be a bold line. */
    String heading(int level) {
        return "";
    }

    String rule() {
        return "———";
    }

    /** What ends a line within a paragraph. */
    String lineBreak() {
        return "\n";
    }

    /** What stands between blocks. */
    String separator() {
        return "\n\n";
    }

    /** Whether code of several lines may be put between {@link #fence}. */
    boolean fences() {
        return true;
    }

    Tables tables() {
        return Tables.ALIGNED;
    }

    /** Whether {@code label} may lead to {@code address}; else the address is written behind it. */
    boolean links(LinkAddress address, String label) {
        return false;
    }

    /** Around the label of a link. */
    Delimiters link(String url) {
        return Delimiters.NONE;
    }

    /** Around an address that is shown. */
    Delimiters shown(String url, String text) {
        return Delimiters.NONE;
    }

    /** Around a run that has a mark other than a link; {@link Delimiters#NONE} for code means that it is written as text. */
    Delimiters mark(TextStyle textStyle, StyledSpan styledSpan) {
        return Delimiters.NONE;
    }

    /** The marks of code that stands where {@code marks} are, and in a link or not. */
    int code(int marks, boolean inLink) {
        return marks | TextStyle.CODE.bit();
    }

    /** Around {@code code}, with the line ends that belong to the fences. */
    Delimiters fence(String language, String code) {
        return Delimiters.NONE;
    }

    /** Around a quote. */
    Delimiters quote() {
        return Delimiters.NONE;
    }

    /** Before each line of a quote. */
    String quotePrefix() {
        return "> ";
    }

    /** Writes a mark, apart from what is before it where the two would be read as another. */
    void put(StringBuilder out, String mark) {
        out.append(mark);
    }

    /** Writes text so that nothing in it is read as markup. */
    void text(StringBuilder out, StyledSpan styledSpan) {
        out.append(styledSpan.text(), styledSpan.from(), styledSpan.to());
    }

    /** Writes what stands between the marks of code. */
    void code(StringBuilder out, String code) {
        out.append(code);
    }

    /** Markdown as it came: a block's language is the whole line that opened its fence. */
    private static final class VerbatimDialect extends MarkupDialect {

        @Override
        String separator() {
            return "\n";
        }

        @Override
        Delimiters fence(String language, String code) {
            return new Delimiters(language + "\n", "\n" + CodeFenceScanner.closing(language));
        }
    }

    /** WhatsApp's styles; it makes lists and quotes of lines that begin as in Markdown, and links of addresses. */
    private static final class WhatsAppDialect extends StyleMarkDialect {

        @Override
        String bullet() {
            return "- ";
        }

        @Override
        void character(StringBuilder out, char c) {
            out.append(c);
        }
    }
}
