package dev.postern.it.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A file of {@code deploy-descriptors/} that is changed as its operator would change it. A text to be changed must
 * occur exactly once.
 */
final class DeployDescriptor {

    /** Lines in a comment whose marks have lines of their own: parts that are there to be used. */
    private static final Pattern COMMENT = Pattern.compile("^ *<!--\n((?:(?! *-->\n).*\n)*) *-->\n", Pattern.MULTILINE);

    private final Path source;
    private String text;

    private DeployDescriptor(Path source, String text) {
        this.source = source;
        this.text = text;
    }

    /** @param name such as {@code tomcat/postern.xml} */
    static DeployDescriptor read(String name) throws IOException {
        Path source = Path.of(System.getProperty("it.descriptors"), name);
        return new DeployDescriptor(source, Files.readString(source));
    }

    /** Puts {@code better} where {@code found} stands. */
    DeployDescriptor replace(String found, String better) {
        int at = text.indexOf(found);
        if (at < 0 || text.indexOf(found, at + 1) >= 0) {
            throw new IllegalStateException("[" + found + "] is not once in " + source);
        }
        text = text.replace(found, better);
        return this;
    }

    /** Takes the comment from the lines of which one has {@code part}. */
    DeployDescriptor uncomment(String part) {
        List<String> lines = COMMENT.matcher(text)
                .results()
                .map(comment -> comment.group(1))
                .filter(comment -> comment.contains(part))
                .toList();
        if (lines.size() != 1) {
            throw new IllegalStateException("[" + part + "] is not in one comment of " + source + ", but " + lines);
        }
        Matcher comment = COMMENT.matcher(text);
        text = comment.replaceAll(found ->
                Matcher.quoteReplacement(found.group(1).equals(lines.get(0)) ? found.group(1) : found.group()));
        return this;
    }

    /** The lines of the one block of a README's that has {@code part}; blocks are indented. */
    String block(String part) {
        List<String> blocks = Pattern.compile("(?m)^(?: {4,}\\S.*\n)+")
                .matcher(text)
                .results()
                .map(block -> block.group())
                .filter(block -> block.contains(part))
                .toList();
        if (blocks.size() != 1) {
            throw new IllegalStateException("[" + part + "] is not in one block of " + source);
        }
        return blocks.get(0).lines().map(String::strip).collect(Collectors.joining("\n"));
    }

    String text() {
        return text;
    }
}
