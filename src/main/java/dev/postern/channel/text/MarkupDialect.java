package dev.postern.channel.text;

import java.util.List;

/**
 * The markup of a channel. The methods of this class write for a channel without any markup. All markup around one span
 * together must be shorter than half of the shortest part.
 */
abstract class MarkupDialect {

    /** The forms in which tables are written. */
    enum Tables {
        /** The table stays a table. */
        KEPT,
        /** The columns are aligned within a code block. */
        ALIGNED,
        /** Each cell is a line that begins with the column's name. */
        NAMED
    }

    static MarkupDialect of(MarkupLanguage markup) {
        return switch (markup) {
            case DISCORD -> new DiscordDialect();
            case MATTERMOST -> new MattermostDialect();
            case TEAMS -> new TeamsDialect(true);
            case CARD -> new TeamsDialect(false);
            case COMMENT -> new CommentDialect(false);
            case COMMENT_WITH_MENTIONS -> new CommentDialect(true);
            case SLACK -> new SlackDialect();
            case TELEGRAM -> new TelegramDialect();
            case WHATSAPP -> new WhatsAppDialect();
            case SIGNAL -> new SignalDialect();
            case PLAIN -> new PlainDialect();
            case RAW -> new VerbatimDialect();
        };
    }

    /** The text before a list item. */
    String bullet() {
        return "• ";
    }

    /** Whether the content of an item must be indented by the length of the item's marker. */
    boolean indentsByMarker() {
        return false;
    }

    String box(boolean done) {
        return done ? "☑ " : "☐ ";
    }

    /** The text before a heading; empty if the heading becomes a bold line. */
    String heading(int level) {
        return "";
    }

    String rule() {
        return "———";
    }

    /** The text that ends a line within a paragraph. */
    String lineBreak() {
        return "\n";
    }

    /** The text between two blocks. */
    String separator() {
        return "\n\n";
    }

    /** Whether code of several lines may be enclosed by {@link #fence}. */
    boolean fences() {
        return true;
    }

    Tables tables() {
        return Tables.ALIGNED;
    }

    /** Whether {@code label} may be a link to {@code address}; otherwise the address is written behind it. */
    boolean links(LinkAddress address, String label) {
        return false;
    }

    /** The delimiters around the label of a link. */
    Delimiters link(String url) {
        return Delimiters.NONE;
    }

    /** The delimiters around an address that is shown. */
    Delimiters shown(String url, String text) {
        return Delimiters.NONE;
    }

    /** The delimiters around a span with a style other than a link; {@link Delimiters#NONE} makes code plain text. */
    Delimiters mark(TextStyle textStyle, StyledSpan styledSpan) {
        return Delimiters.NONE;
    }

    /** The style bits of inline code within the styles {@code marks}, and perhaps within a link. */
    int code(int marks, boolean inLink) {
        return marks | TextStyle.CODE.bit();
    }

    /** The fences around {@code code}, with their line ends. */
    Delimiters fence(String language, String code) {
        return Delimiters.NONE;
    }

    /** The delimiters around a quote. */
    Delimiters quote() {
        return Delimiters.NONE;
    }

    /** The text before each line of a quote. */
    String quotePrefix() {
        return "> ";
    }

    /** Writes a delimiter, separated from the text before it if the two together would mean something else. */
    void put(StringBuilder out, String mark) {
        out.append(mark);
    }

    /** Writes text so that no character of it is read as markup. */
    void text(StringBuilder out, StyledSpan styledSpan) {
        out.append(styledSpan.text(), styledSpan.from(), styledSpan.to());
    }

    /** Writes the content of code. */
    void code(StringBuilder out, String code) {
        out.append(code);
    }

    /** The dialect of unconverted Markdown; a code block's language is the whole line that opened its fence. */
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

    /** The dialect of WhatsApp, which recognises lists and quotes as in Markdown, and turns addresses into links. */
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

    /** The dialect of Mattermost's Markdown, which is GitHub's without HTML except entities. */
    private static final class MattermostDialect extends GitHubFlavoredDialect {

        @Override
        List<String> massMentions() {
            return List.of("all", "channel", "here");
        }

        @Override
        boolean isMention(String text, int from, int index) {
            return CharacterClasses.isMention(text, from, index) || super.isMention(text, from, index);
        }

        @Override
        void character(StringBuilder out, StyledSpan styledSpan, int index) {
            out.append(styledSpan.at(index)).append(isCharacterReference(styledSpan, index) ? "amp;" : "");
        }
    }
}
