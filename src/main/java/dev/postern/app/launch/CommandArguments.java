package dev.postern.app.launch;

import dev.postern.app.launch.CommandLine.UsageException;
import dev.postern.model.NearestName;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The arguments of a command line: functions that take them word by word, and say what is wrong with one. */
final class CommandArguments {

    private CommandArguments() {}

    /**
     * The value that follows {@code option}. A word that begins as options do is none: a shell drops a variable that is not
     * set, and the next option would take its place.
     */
    static String value(String option, Deque<String> rest) throws UsageException {
        if (rest.isEmpty() || rest.peek().isBlank()) {
            throw new UsageException(option + " needs a value");
        }
        if (rest.peek().startsWith("--")) {
            // What follows an equals sign may be a password, and must not be repeated.
            throw new UsageException(
                    option + " needs a value, not " + rest.peek().split("=", 2)[0]);
        }
        return rest.pop();
    }

    /** The address that follows {@code option}; an IPv6 address loses its brackets, as in {@code [::1]}. */
    static String address(String option, Deque<String> rest) throws UsageException {
        return value(option, rest).replaceFirst("^\\[([0-9A-Fa-f:.%]*:.*)]$", "$1");
    }

    /** Rejects a second use of an option in {@code words}, unless the option may be repeated. */
    static void rejectRepeated(Collection<String> words) throws UsageException {
        Set<String> seen = new HashSet<>();
        for (String word : words) {
            if (CommandCatalog.SINGLE_OPTIONS.contains(word) && !seen.add(word)) {
                throw new UsageException(word + " is given twice");
            }
        }
    }

    /** True for a word that begins as options do. */
    static boolean isOption(String word) {
        return word.startsWith("-");
    }

    /** Adds the {@code name=value} that follows {@code option} to {@code values}. */
    static void pair(String option, Deque<String> rest, UnaryOperator<String> spelling, Map<String, String> values)
            throws UsageException {
        String pair = value(option, rest);
        int equals = pair.indexOf('=');
        String name = spelling.apply(pair.substring(0, Math.max(equals, 0)).strip());
        if (name.isEmpty()) {
            throw new UsageException(option + " needs name=value, not " + pair);
        }
        if (values.putIfAbsent(name, pair.substring(equals + 1).strip()) != null) {
            throw new UsageException(option + " gives " + name + " twice");
        }
    }

    /** The exception for an argument that {@code command} does not take. */
    static UsageException unknown(String word, String command) {
        return new UsageException("unknown argument " + word + " for " + command
                + meant(word, CommandCatalog.COMMANDS.getOrDefault(command, List.of())));
    }

    /** A question for the word of {@code known} that {@code word} is a misspelling of; empty where there is none. */
    static String meant(String word, Collection<String> known) {
        return NearestName.of(word, known)
                .map(near -> "; did you mean " + near + "?")
                .orElse("");
    }
}
