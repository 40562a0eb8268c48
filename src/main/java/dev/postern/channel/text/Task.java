package dev.postern.channel.text;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.Text;

/** The box before a list's item (GitHub Flavored Markdown, "Task list items (extension)"). */
record Task(boolean isDone) {

    private static final Pattern BOX = Pattern.compile("\\[([ xX])]\\s+(?=\\S)");

    /** The box that {@code item} begins with, which is taken away from it. */
    static Optional<Task> of(Node item) {
        if (!(item.getFirstChild() instanceof Paragraph paragraph)
                || !(paragraph.getFirstChild() instanceof Text text)) {
            return Optional.empty();
        }
        Matcher box = BOX.matcher(text.getLiteral());
        if (!box.lookingAt()) {
            return Optional.empty();
        }
        text.setLiteral(text.getLiteral().substring(box.end()));
        return Optional.of(new Task(box.group(1).toLowerCase(Locale.ROOT).equals("x")));
    }
}
