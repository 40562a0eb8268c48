package dev.postern.channel.text;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes a piece of a block in a dialect: whatever is open where the piece begins is opened, and closed at its end. */
final class Writer {

    private final Dialect dialect;

    Writer(Dialect dialect) {
        this.dialect = dialect;
    }

    /** A mark that is open: of which link, until where, and how it is closed. */
    private record Open(Mark mark, @Nullable Link link, int until, Wrap wrap) {}

    /** The characters {@code [from, to)} of {@code block}. */
    String write(Block block, int from, int to) {
        StringBuilder out = new StringBuilder(to - from + 16);
        if (block.kind() == Block.Kind.CODE) {
            String code = block.text().substring(from, to);
            Wrap fence = dialect.fence(block.language(), code);
            out.append(fence.open());
            dialect.code(out, code);
            dialect.put(out, fence.close());
            return out.toString();
        }
        boolean quote = block.kind() == Block.Kind.QUOTE;
        Wrap around = quote ? dialect.quote() : Wrap.NONE;
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

    private void line(StringBuilder out, Block block, int from, int to) {
        Deque<Open> open = new ArrayDeque<>();
        int at = from;
        while (at < to) {
            int end = at + 1;
            while (end < to && block.alike(at, end)) {
                end++;
            }
            close(out, open, block, at);
            Run run = new Run(block, at, end, from, to);
            open(out, open, run);
            if (isCode(open)) {
                dialect.code(out, run.content());
            } else {
                dialect.text(out, run);
            }
            at = end;
        }
        while (!open.isEmpty()) {
            dialect.put(out, open.pop().wrap().close());
        }
    }

    private static boolean isCode(Deque<Open> open) {
        return !open.isEmpty()
                && open.getFirst().mark() == Mark.CODE
                && !open.getFirst().wrap().isNone();
    }

    /** Closes what ends before {@code at}, and what is within it. */
    private void close(StringBuilder out, Deque<Open> open, Block block, int at) {
        int kept = 0;
        for (Iterator<Open> outermostFirst = open.descendingIterator();
                outermostFirst.hasNext() && goesOn(outermostFirst.next(), block, at); ) {
            kept++;
        }
        while (open.size() > kept) {
            dialect.put(out, open.pop().wrap().close());
        }
    }

    private static boolean goesOn(Open open, Block block, int at) {
        return at < open.until() && (open.mark() != Mark.LINK || open.link() == block.linkAt(at));
    }

    /** Opens what begins with {@code run}: what goes on for longer first, and code, which holds nothing else, last. */
    private void open(StringBuilder out, Deque<Open> open, Run run) {
        List<Open> opening = new ArrayList<>();
        for (Mark mark : Mark.values()) {
            if (mark.in(run.marks()) && open.stream().noneMatch(each -> each.mark() == mark)) {
                Run whole = mark == Mark.CODE ? run : extent(mark, run);
                opening.add(new Open(mark, run.link(), whole.to(), wrap(mark, whole)));
            }
        }
        opening.sort(Comparator.comparingInt(Open::until).reversed());
        for (Open each : opening) {
            dialect.put(out, each.wrap().open());
            open.push(each);
        }
    }

    private Wrap wrap(Mark mark, Run run) {
        Link link = run.link();
        if (mark != Mark.LINK) {
            return dialect.mark(mark, run);
        }
        if (link == null) {
            return Wrap.NONE;
        }
        return link.isShown() ? dialect.shown(link.address(), run.content()) : dialect.link(link.address());
    }

    /** The run as far as the line goes on with {@code mark}, whatever else begins or ends. */
    private static Run extent(Mark mark, Run run) {
        Block block = run.block();
        int end = run.to();
        while (end < run.lineTo()
                && mark.in(block.marksAt(end))
                && (mark != Mark.LINK || block.linkAt(end) == run.link())) {
            end++;
        }
        return new Run(block, run.from(), end, run.lineFrom(), run.lineTo());
    }
}
