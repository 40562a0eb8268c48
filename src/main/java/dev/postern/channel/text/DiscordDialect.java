package dev.postern.channel.text;

import java.util.List;

/** Discord's Markdown: no tables, no code fences but those of three backticks, and links of the web alone have labels. */
final class DiscordDialect extends MarkdownDialect {

    private static final int DEEPEST_HEADING = 3;

    @Override
    String heading(int level) {
        return level <= DEEPEST_HEADING ? "#".repeat(level) + " " : "";
    }

    /** A label that looks like an address itself is shown as it is written. */
    @Override
    boolean links(LinkAddress address, String label) {
        return address.isWeb() && !label.contains("://");
    }

    @Override
    List<String> everybody() {
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
