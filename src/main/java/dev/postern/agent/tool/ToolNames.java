package dev.postern.agent.tool;

import dev.postern.model.Sha256;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The names of a turn's tools for the model: valid for every provider, unique, and the same for the same tools. A tool keeps
 * its own name if no other tool has it; else its server's id stands before it.
 */
final class ToolNames {

    private static final int LONGEST = 64;
    private static final Pattern FITTING = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_-]{0," + (LONGEST - 1) + "}");
    private static final int DIGEST_BYTES = 4;

    private ToolNames() {}

    /** A tool's own name: its server, and its name there. */
    record Own(String server, String tool) {}

    /** The name of each of {@code tools}, which are all different. */
    static Map<Own, String> of(List<Own> tools) {
        Map<String, Long> bearers = tools.stream().collect(Collectors.groupingBy(Own::tool, Collectors.counting()));
        Map<Own, String> names = new LinkedHashMap<>();
        Set<String> taken = new HashSet<>();
        for (Own tool : tools) {
            if (bearers.getOrDefault(tool.tool(), 0L) == 1
                    && FITTING.matcher(tool.tool()).matches()) {
                names.put(tool, tool.tool());
                taken.add(tool.tool());
            }
        }
        for (Own tool : tools) {
            if (!names.containsKey(tool)) {
                String name = made(tool, taken);
                names.put(tool, name);
                taken.add(name);
            }
        }
        return names;
    }

    private static String made(Own tool, Set<String> taken) {
        String plain = (tool.server() + "__" + tool.tool())
                .replaceAll("[^a-zA-Z0-9_-]", "_")
                .replaceFirst("^(?=[0-9-])", "_");
        String name = plain;
        for (int attempt = 0; name.length() > LONGEST || taken.contains(name); attempt++) {
            int most = LONGEST - 1 - 2 * DIGEST_BYTES;
            String digest = Sha256.name(tool.server() + "\0" + tool.tool() + "\0" + attempt, DIGEST_BYTES);
            name = plain.substring(0, Math.min(plain.length(), most)) + "_" + digest;
        }
        return name;
    }
}
