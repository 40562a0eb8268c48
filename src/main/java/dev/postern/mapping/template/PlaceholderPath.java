package dev.postern.mapping.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A path of fields and indexes, as a {@code {{placeholder}}} contains it. It works as in OpenClaw's hook mappings:
 * {@code path} and {@code now} come from the request. A path that begins with {@code payload.}, {@code headers.} or
 * {@code query.} is looked up there, any other path in the payload. An absent value is missing.
 *
 * @param written the path as the template has it
 * @param site the number of the placeholder in its template
 * @param steps the names and indexes from the outside in; empty for a path that leads nowhere
 */
record PlaceholderPath(String written, int site, List<String> steps) {

    /** A name between dots and brackets, or an index in brackets; what stands between two of them separates them. */
    private static final Pattern STEP = Pattern.compile("([^.\\[\\]]+)|\\[([0-9]+)]");

    private static final Set<String> NOWHERE = Set.of("", "payload.", "headers.", "query.");

    PlaceholderPath {
        steps = List.copyOf(steps);
    }

    /** Parses {@code a.b[0]["c d"]}; empty if {@code text} is no path. */
    static Optional<PlaceholderPath> read(String text, int site) {
        List<String> steps = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            int end;
            if (c == '[') {
                end = text.indexOf(']', at) + 1;
                String key = inBrackets(text, at + 1);
                if (key == null || steps.isEmpty()) {
                    return Optional.empty();
                }
                end = Character.isDigit(text.charAt(at + 1)) ? end : at + key.length() + 4;
                steps.add(key);
            } else {
                int start = c == '.' && at > 0 ? at + 1 : at;
                end = start;
                while (end < text.length() && isNamePart(text.charAt(end))) {
                    end++;
                }
                if (end == start || (start == at && at > 0)) {
                    return Optional.empty();
                }
                steps.add(text.substring(start, end));
            }
            at = end;
        }
        return steps.isEmpty() ? Optional.empty() : Optional.of(new PlaceholderPath(text, site, steps));
    }

    /**
     * Parses any text as OpenClaw does: names are separated by dots and brackets, and may hold every other character.
     * {@code a b.c} is the field {@code c} of the field {@code a b}; a lone dot is the payload.
     */
    static PlaceholderPath readLoosely(String text, int site) {
        List<String> steps = new ArrayList<>();
        Matcher step = STEP.matcher(text);
        while (step.find()) {
            steps.add(step.group(1) == null ? step.group(2) : step.group(1));
        }
        if (NOWHERE.contains(text)) {
            steps.clear();
        } else if (steps.isEmpty()) {
            steps.add("payload");
        }
        return new PlaceholderPath(text, site, steps);
    }

    /** The digits up to a bracket, or the text between quotes; null for anything else. */
    private static @Nullable String inBrackets(String text, int start) {
        if (start >= text.length()) {
            return null;
        }
        char quote = text.charAt(start);
        if (quote == '"' || quote == '\'') {
            int end = text.indexOf(quote + "]", start + 1);
            return end < 0 ? null : text.substring(start + 1, end);
        }
        int end = start;
        while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
            end++;
        }
        boolean index = end > start && end - start < 10 && end < text.length() && text.charAt(end) == ']';
        return index ? text.substring(start, end) : null;
    }

    private static boolean isNamePart(char c) {
        return Character.isLetterOrDigit(c) || "_-$@:".indexOf(c) >= 0;
    }

    /** The value; null if there is none. */
    @Nullable
    JsonNode find(TemplateInput input) {
        if (steps.isEmpty()) {
            return null;
        }
        String first = steps.get(0);
        boolean alone = steps.size() == 1;
        return switch (first) {
            case "path", "now" -> alone ? input.named(first) : within(input.named("payload"), 0);
            case "headers" -> steps.size() == 2 ? input.header(steps.get(1)) : within(input.named("payload"), 0);
            case "query" -> alone ? within(input.named("payload"), 0) : within(input.named(first), 1);
            case "payload" -> within(input.named(first), 1);
            case "index", "item" ->
                input.named(first) == null ? within(input.named("payload"), 0) : within(input.named(first), 1);
            default -> within(input.named("payload"), 0);
        };
    }

    private @Nullable JsonNode within(@Nullable JsonNode root, int from) {
        JsonNode node = root;
        for (int i = from; i < steps.size() && node != null; i++) {
            node = step(node, steps.get(i));
        }
        return node;
    }

    private static @Nullable JsonNode step(JsonNode node, String key) {
        if (!node.isArray()) {
            return node.get(key);
        }
        if (key.equals("length")) {
            return IntNode.valueOf(node.size());
        }
        boolean index = !key.isEmpty() && key.length() < 10 && key.chars().allMatch(c -> c >= '0' && c <= '9');
        return index ? node.get(Integer.parseInt(key)) : null;
    }
}
