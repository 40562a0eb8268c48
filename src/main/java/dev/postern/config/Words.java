package dev.postern.config;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.postern.config.Node.Form;
import java.util.List;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * How settings are spelled in YAML, and in JSON.
 *
 * @param json true where names and texts have to be in quotes
 * @param newline what ends a line
 */
record Words(boolean json, String newline) {

    static final int INDENT = 2;

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9@._/+-]*( [A-Za-z0-9@._/+-]+)*");
    private static final Pattern NO_TEXT = Pattern.compile("true|false|[1-9][0-9]{0,8}");

    /** {@code value} as a number, true or false where it is spelled as one, else as a text. */
    String scalar(String value) {
        if (NO_TEXT.matcher(value).matches()) {
            return value;
        }
        boolean plain = !json
                && PLAIN.matcher(value).matches()
                && new Resolver().resolve(NodeId.scalar, value, true).equals(Tag.STR);
        return plain ? value : quoted(value);
    }

    /** What a reader takes {@code value}, spelled by {@link #scalar}, for. */
    static Form form(String value) {
        if (!NO_TEXT.matcher(value).matches()) {
            return Form.TEXT;
        }
        return Character.isDigit(value.charAt(0)) ? Form.NUMBER : Form.FLAG;
    }

    private static String quoted(String value) {
        return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(value)) + '"';
    }

    private String name(String name) {
        return json ? quoted(name) : name;
    }

    /** The names of {@code path}, each on a line below the one before, and {@code value} at the last. */
    String block(List<String> path, int indent, String value) {
        StringBuilder block = new StringBuilder();
        int column = indent;
        for (int i = 0; i < path.size(); i++) {
            block.append(i == 0 ? "" : newline)
                    .append(" ".repeat(column))
                    .append(name(path.get(i)))
                    .append(':');
            column += INDENT;
        }
        return block.append(' ').append(value).toString();
    }

    /** The names of {@code path}, each in the braces of the one before, and {@code value} at the last. */
    String flow(List<String> path, String value) {
        String flow = value;
        for (int i = path.size() - 1; i >= 0; i--) {
            flow = name(path.get(i)) + ": " + (i == path.size() - 1 ? flow : "{" + flow + "}");
        }
        return flow;
    }

    /** {@code content} on a line of its own, after the one that it is put at the end of. */
    String line(int indent, String content) {
        return newline + " ".repeat(indent) + content;
    }
}
