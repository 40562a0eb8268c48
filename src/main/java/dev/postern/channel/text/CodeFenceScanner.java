package dev.postern.channel.text;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A scanner that finds the fenced code blocks of unconverted Markdown line by line (CommonMark 0.31.2, section 4.5). */
final class CodeFenceScanner {

    private static final Pattern OPENING = Pattern.compile("[ >]{0,12}(`{3,12}(?=[^`]*$)|~{3,12}(?!~))[^\n]{0,40}");

    private final List<TextBlock> blocks = new ArrayList<>();
    private BlockBuilder blockBuilder = new BlockBuilder();
    private boolean begun;
    private String opening = "";

    private CodeFenceScanner() {}

    /** Splits Markdown into blocks with their text unchanged; a code block's language is the whole line that opens it. */
    static List<TextBlock> blocks(String reply) {
        CodeFenceScanner fences = new CodeFenceScanner();
        for (String line : reply.split("\n", -1)) {
            fences.add(line);
        }
        fences.flush();
        return fences.blocks;
    }

    /** The characters that close the fence that {@code line} opens; empty if it opens none. */
    static String closing(String line) {
        Matcher fence = OPENING.matcher(line);
        return fence.matches() ? fence.group(1) : "";
    }

    private void add(String line) {
        boolean code = !opening.isEmpty();
        if (code ? closes(line) : !closing(line).isEmpty()) {
            flush();
            opening = code ? "" : line;
            return;
        }
        blockBuilder.text(begun ? "\n" + line : line, 0, null);
        begun = true;
    }

    private boolean closes(String line) {
        String closing = closing(opening);
        String bare = line.strip();
        return bare.startsWith(closing) && bare.chars().allMatch(c -> c == closing.charAt(0));
    }

    private void flush() {
        TextBlock.Kind kind = opening.isEmpty() ? TextBlock.Kind.TEXT : TextBlock.Kind.CODE;
        if (kind == TextBlock.Kind.CODE || !blockBuilder.isEmpty()) {
            blocks.add(blockBuilder.block(kind, opening));
        }
        blockBuilder = new BlockBuilder();
        begun = false;
    }
}
