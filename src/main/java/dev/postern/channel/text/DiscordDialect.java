package dev.postern.channel.text;

import java.util.List;

/** The dialect of Discord's Markdown: no tables, code fences of three backticks only, and labels for web links only. */
final class DiscordDialect extends MarkdownDialect {

    private static final int DEEPEST_HEADING = 3;

    @Override
    String heading(int level) {
        return level <= DEEPEST_HEADING ? "#".repeat(level) + " " : "";
    }

    /** Whether a link gets a label; Discord shows the markup as text if the label looks like an address. */
    @Override
    boolean links(LinkAddress address, String label) {
        return address.isWeb() && !label.contains("://");
    }

    @Override
    List<String> massMentions() {
        return List.of("everyone", "here");
    }

    @Override
    Delimiters fence(String language, String code) {
        return new Delimiters("```" + language + "\n", "\n```");
    }

    @Override
    void code(StringBuilder out, String code) {
        out.append(partedFences(code));
    }

    @Override
    void character(StringBuilder out, StyledSpan styledSpan, int index) {
        out.append(styledSpan.at(index) == '<' ? "\\" : "").append(styledSpan.at(index));
    }
}
