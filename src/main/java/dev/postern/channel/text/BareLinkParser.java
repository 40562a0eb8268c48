package dev.postern.channel.text;

import java.util.Set;
import org.commonmark.node.Link;
import org.commonmark.node.Text;
import org.commonmark.parser.beta.InlineContentParser;
import org.commonmark.parser.beta.InlineContentParserFactory;
import org.commonmark.parser.beta.InlineParserState;
import org.commonmark.parser.beta.ParsedInline;
import org.commonmark.parser.beta.Position;
import org.commonmark.parser.beta.Scanner;

/**
 * A parser that reads a bare address in the text as a link, so that an underscore or an asterisk in it is no markup. The
 * address begins and ends as GitHub Flavored Markdown's "Autolinks (extension)" says, except that brackets end it too.
 */
final class BareLinkParser implements InlineContentParser {

    private static final String TRAILING = "?!.,:;*_~'\"";
    private static final String ENDING = "<>[]`|\\\"";

    @Override
    public ParsedInline tryParse(InlineParserState state) {
        Scanner scanner = state.scanner();
        int before = scanner.peekPreviousCodePoint();
        Position start = scanner.position();
        boolean scheme = scanner.next("https://") || scanner.next("http://");
        if (!scheme || Character.isLetterOrDigit(before) || !Character.isLetterOrDigit(scanner.peekCodePoint())) {
            return ParsedInline.none();
        }
        int opened = 0;
        int closed = 0;
        Position end = scanner.position();
        boolean held = false;
        while (isPart(scanner.peek())) {
            char c = scanner.peek();
            opened += c == '(' ? 1 : 0;
            closed += c == ')' ? 1 : 0;
            if (closed > opened) {
                break;
            }
            scanner.next();
            if (TRAILING.indexOf(c) < 0) {
                end = scanner.position();
                held = true;
            }
        }
        if (!held) {
            return ParsedInline.none();
        }
        String address = scanner.getSource(start, end).getContent();
        Link link = new Link(address, null);
        link.appendChild(new Text(address));
        return ParsedInline.of(link, end);
    }

    private static boolean isPart(char c) {
        return c != Scanner.END && !Character.isWhitespace(c) && ENDING.indexOf(c) < 0;
    }

    /** A factory of these parsers, triggered by the {@code h} with which an address begins. */
    static final class Factory implements InlineContentParserFactory {

        @Override
        public Set<Character> getTriggerCharacters() {
            return Set.of('h');
        }

        @Override
        public InlineContentParser create() {
            return new BareLinkParser();
        }
    }
}
