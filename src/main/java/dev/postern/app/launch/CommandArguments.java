package dev.postern.app.launch;

import dev.postern.app.launch.CommandLine.UsageException;
import dev.postern.model.NearestName;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The arguments of a command line: functions that take them word by word, and say what is wrong with one. */
final class CommandArguments {

    private CommandArguments() {}

    /** The value that follows {@code option}. */
    static String value(String option, Deque<String> rest) throws UsageException {
        if (rest.isEmpty() || rest.peek().isBlank()) {
            throw new UsageException(option + " needs a value");
        }
        return rest.pop();
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
