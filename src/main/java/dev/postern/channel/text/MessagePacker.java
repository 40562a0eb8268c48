package dev.postern.channel.text;

import java.util.ArrayList;
import java.util.List;

/**
 * A packer that fills parts with blocks. A block that fits into one part is never cut. A longer block is cut at
 * {@link SplitPoints}, and begins in the current part only if that is at most half full.
 */
final class MessagePacker {

    private final MarkupDialect dialect;
    private final BlockWriter writer;
    private final int limit;
    private final boolean withFiles;
    private final List<MessagePart> parts = new ArrayList<>();
    private int files;
    private StringBuilder part = new StringBuilder();

    private MessagePacker(MarkupDialect dialect, int limit, boolean withFiles) {
        this.dialect = dialect;
        this.writer = new BlockWriter(dialect);
        this.limit = limit;
        this.withFiles = withFiles;
    }

    /**
     * The visible content of {@code blocks} in parts of at most {@code limit} UTF-16 units; empty if there is none.
     *
     * @param withFiles whether fenced code that fits into no part becomes a file
     */
    static List<MessagePart> pack(List<TextBlock> blocks, MarkupDialect dialect, int limit, boolean withFiles) {
        MessagePacker packer = new MessagePacker(dialect, limit, withFiles);
        for (TextBlock block : blocks) {
            packer.add(block);
        }
        packer.flush();
        return packer.parts;
    }

    private void add(TextBlock block) {
        if (isFile(block)) {
            addFile(block);
            return;
        }
        int from = 0;
        while (block.isVisible(from, block.length())) {
            int room = limit
                    - part.length()
                    - (part.isEmpty() ? 0 : dialect.separator().length());
            if (block.length() - from <= limit) {
                String rest = writer.write(block, from, block.length());
                if (rest.length() <= room) {
                    append(rest);
                    return;
                }
                if (rest.length() <= limit) {
                    flush();
                    continue;
                }
            }
            from = cut(block, from, room);
        }
    }

    private boolean isFile(TextBlock block) {
        return withFiles
                && block.kind() == TextBlock.Kind.FENCED_CODE
                && block.isVisible(0, block.length())
                && (block.length() > limit
                        || writer.write(block, 0, block.length()).length() > limit);
    }

    /** Adds code as a file, whose name ends the text before it, because a product may show the file late. */
    private void addFile(TextBlock block) {
        MessagePart file = MessagePart.file(++files, block);
        String name = named(String.valueOf(file.fileName()));
        if (!part.isEmpty() && part.length() + dialect.separator().length() + name.length() <= limit) {
            append(name);
        }
        flush();
        parts.add(file);
    }

    /** The name of a file as inline code, in which no product takes it for an address. */
    private String named(String name) {
        BlockBuilder line = new BlockBuilder();
        line.text(name, TextStyle.CODE.bit(), null);
        return writer.write(line.block(TextBlock.Kind.TEXT, ""), 0, name.length());
    }

    /** Adds as much of the block as fits, or ends a part that has too little space; returns the index of the rest. */
    private int cut(TextBlock block, int from, int room) {
        if (part.length() > limit / 2) {
            flush();
            return from;
        }
        int reach = reach(block, from, room);
        int to = part.isEmpty() ? SplitPoints.any(block, from, reach, limit) : SplitPoints.gap(block, from, reach);
        if (to == from) {
            flush();
            return from;
        }
        if (block.isVisible(from, to)) {
            append(writer.write(block, from, SplitPoints.end(block, from, to)));
            flush();
        }
        return SplitPoints.next(block, to);
    }

    /** The largest index found by bisection such that the text from {@code from} to it, when written, fits {@code room}. */
    private int reach(TextBlock block, int from, int room) {
        int fits = from;
        int tooFar = Math.min(block.length(), from + Math.max(room, 0)) + 1;
        while (tooFar - fits > 1) {
            int middle = (fits + tooFar) >>> 1;
            if (writer.write(block, from, middle).length() <= room) {
                fits = middle;
            } else {
                tooFar = middle;
            }
        }
        return fits;
    }

    private void append(String written) {
        part.append(part.isEmpty() ? "" : dialect.separator()).append(written);
    }

    private void flush() {
        if (!part.isEmpty()) {
            parts.add(MessagePart.text(part.toString()));
            part = new StringBuilder();
        }
    }
}
