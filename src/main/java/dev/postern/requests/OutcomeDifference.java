package dev.postern.requests;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A difference between two outcomes of one request.
 *
 * @param field the name of the value in the JSON of {@code explain}, such as {@code mapping} or {@code actions[0].message}
 * @param before null if it had no value, or if {@code diff} shows both
 * @param after null if it has no value, or if {@code diff} shows both
 * @param diff the lines of a unified diff; empty if both are texts of one line
 */
public record OutcomeDifference(String field, @Nullable String before, @Nullable String after, List<String> diff) {

    public OutcomeDifference {
        diff = List.copyOf(diff);
    }

    static OutcomeDifference of(String field, @Nullable String before, @Nullable String after) {
        return before != null && after != null && (before.contains("\n") || after.contains("\n"))
                ? new OutcomeDifference(field, null, null, TextDiff.lines(before, after))
                : new OutcomeDifference(field, before, after, List.of());
    }
}
