package dev.postern.channel.text;

/**
 * A dialect with the boxes, headings, rules and tables of GitHub Flavored Markdown.
 *
 * @see <a href="https://github.github.com/gfm/">GitHub Flavored Markdown</a>
 */
abstract class GitHubFlavoredDialect extends MarkdownDialect {

    @Override
    String box(boolean done) {
        return done ? "[x] " : "[ ] ";
    }

    @Override
    String heading(int level) {
        return "#".repeat(level) + " ";
    }

    @Override
    String rule() {
        return "---";
    }

    @Override
    Tables tables() {
        return Tables.KEPT;
    }
}
