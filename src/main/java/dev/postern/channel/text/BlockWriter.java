package dev.postern.channel.text;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A writer of a piece of a block in a dialect. Styles that are open where the piece begins are opened there, and closed at
 * its end.
 */
final class BlockWriter {

    private final MarkupDialect dialect;

    BlockWriter(MarkupDialect dialect) {
        this.dialect = dialect;
    }

    /** An open style, with its link, the index of its end and its delimiters. */
    private record Open(TextStyle mark, @Nullable Link link, int until, Delimiters wrap) {}

    /** Writes the characters {@code [from, to)} of {@code block}. */
    String write(TextBlock block, int from, int to) {
        StringBuilder out = new StringBuilder(to - from + 16);
        if (block.isCode()) {
            String code = block.text().substring(from, to);
            Delimiters fence = dialect.fence(block.language(), code);
            out.append(fence.open());
            dialect.code(out, code);
            dialect.put(out, fence.close());
            return out.toString();
        }
        boolean quote = block.kind() == TextBlock.Kind.QUOTE;
        Delimiters around = quote ? dialect.quote() : Delimiters.NONE;
        out.append(around.open());
        int line = from;
        while (line <= to) {
            int newLine = block.text().indexOf('\n', line);
            int end = newLine < 0 || newLine > to ? to : newLine;
            out.append(quote ? dialect.quotePrefix() : "");
            line(out, block, line, end);
            out.append(end < to ? "\n" : "");
            line = end + 1;
        }
        return out.append(around.close()).toString();
    }

    private void line(StringBuilder out, TextBlock block, int from, int to) {
        Deque<Open> open = new ArrayDeque<>();
        int at = from;
        while (at < to) {
            int end = at + 1;
            while (end < to && block.alike(at, end)) {
                end++;
            }
            close(out, open, block, at);
            StyledSpan styledSpan = new StyledSpan(block, at, end, from, to);
            open(out, open, styledSpan);
            if (isCode(open)) {
                dialect.code(out, styledSpan.content());
            } else {
                dialect.text(out, styledSpan);
            }
            at = end;
        }
        while (!open.isEmpty()) {
            dialect.put(out, open.pop().wrap().close());
        }
    }

    private static boolean isCode(Deque<Open> open) {
        return !open.isEmpty()
                && open.getFirst().mark() == TextStyle.CODE
                && !open.getFirst().wrap().isNone();
    }

    /** Closes the styles that end before {@code at}, and the styles nested in them. */
    private void close(StringBuilder out, Deque<Open> open, TextBlock block, int at) {
        int kept = 0;
        for (Iterator<Open> outermostFirst = open.descendingIterator();
                outermostFirst.hasNext() && goesOn(outermostFirst.next(), block, at); ) {
            kept++;
        }
        while (open.size() > kept) {
            dialect.put(out, open.pop().wrap().close());
        }
    }

    private static boolean goesOn(Open open, TextBlock block, int at) {
        return at < open.until() && (open.mark() != TextStyle.LINK || open.link() == block.linkAt(at));
    }

    /** Opens the styles that begin with {@code styledSpan}: the longest first, and code, which contains no other, last. */
    private void open(StringBuilder out, Deque<Open> open, StyledSpan styledSpan) {
        List<Open> opening = new ArrayList<>();
        for (TextStyle textStyle : TextStyle.values()) {
            if (textStyle.in(styledSpan.marks()) && open.stream().noneMatch(each -> each.mark() == textStyle)) {
                StyledSpan whole = textStyle == TextStyle.CODE ? styledSpan : extent(textStyle, styledSpan);
                opening.add(new Open(textStyle, styledSpan.link(), whole.to(), wrap(textStyle, whole)));
            }
        }
        opening.sort(Comparator.comparingInt(Open::until).reversed());
        for (Open each : opening) {
            dialect.put(out, each.wrap().open());
            open.push(each);
        }
    }

    private Delimiters wrap(TextStyle textStyle, StyledSpan styledSpan) {
        Link link = styledSpan.link();
        if (textStyle != TextStyle.LINK) {
            return dialect.mark(textStyle, styledSpan);
        }
        if (link == null) {
            return Delimiters.NONE;
        }
        return link.isShown() ? dialect.shown(link.address(), styledSpan.content()) : dialect.link(link.address());
    }

    /** The span extended over the following characters of the line that have {@code textStyle} too. */
    private static StyledSpan extent(TextStyle textStyle, StyledSpan styledSpan) {
        TextBlock block = styledSpan.block();
        int end = styledSpan.to();
        while (end < styledSpan.lineTo()
                && textStyle.in(block.marksAt(end))
                && (textStyle != TextStyle.LINK || block.linkAt(end) == styledSpan.link())) {
            end++;
        }
        return new StyledSpan(block, styledSpan.from(), end, styledSpan.lineFrom(), styledSpan.lineTo());
    }
}
