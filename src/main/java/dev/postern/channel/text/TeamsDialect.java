package dev.postern.channel.text;

/**
 * What Teams reads of Markdown: bold, italic, lists and links; code in a bot's message, but not in an Adaptive Card's text
 * block. It ends a line where a paragraph ends alone.
 */
final class TeamsDialect extends MarkdownDialect {

    private final boolean code;

    TeamsDialect(boolean code) {
        this.code = code;
    }

    @Override
    String lineBreak() {
        return "\n\n";
    }

    @Override
    boolean fences() {
        return code;
    }

    @Override
    Tables tables() {
        return code ? Tables.ALIGNED : Tables.NAMED;
    }

    @Override
    Wrap mark(Mark mark, Run run) {
        return mark == Mark.STRIKE || (mark == Mark.CODE && !code) ? Wrap.NONE : super.mark(mark, run);
    }

    @Override
    void character(StringBuilder out, Run run, int index) {
        if (run.at(index) == '<') {
            out.append("&lt;");
        } else {
            out.append(run.at(index)).append(isReference(run, index) ? "amp;" : "");
        }
    }
}
