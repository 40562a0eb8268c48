package dev.postern.console;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A reader of the ids that a user chose on a list, in the order of their creation, and of the number of the form. */
final class SelectedIds {

    private static final String IDS = "ids";
    private static final String ATTEMPT = "attempt";

    private SelectedIds() {}

    /**
     * The ids that a form or an address has.
     *
     * @param name the parameter's name
     * @param most the most ids that may be chosen
     */
    static List<String> of(String name, @Nullable List<@Nullable String> values, int most) {
        List<String> ids = values == null
                ? List.of()
                : values.stream()
                        .filter(Objects::nonNull)
                        .filter(id -> !id.isBlank())
                        .distinct()
                        .sorted()
                        .toList();
        if (ids.isEmpty()) {
            throw new ParameterException(name + " is missing: choose at least one line of the list.");
        }
        if (ids.size() > most) {
            throw new ParameterException(name + " has more than " + most + " ids.");
        }
        return ids;
    }

    /** The ids of a program's JSON object, in its member {@code ids}. */
    static List<String> of(@Nullable Map<String, JsonNode> json, int most) {
        @Nullable JsonNode ids = json == null ? null : json.get(IDS);
        if (ids == null || !ids.isArray() || !ids.valueStream().allMatch(JsonNode::isTextual)) {
            throw new ParameterException(IDS + " is missing: it is a list of ids.");
        }
        return of(IDS, ids.valueStream().<@Nullable String>map(JsonNode::asText).toList(), most);
    }

    /** The member {@code attempt} of a program's JSON object; null if there is none. */
    static @Nullable String attempt(@Nullable Map<String, JsonNode> json) {
        @Nullable JsonNode attempt = json == null ? null : json.get(ATTEMPT);
        return attempt == null ? null : attempt.asText();
    }

    /** The attempt's name: {@code given}, or one of its own if it is null. */
    static String attempt(@Nullable String given) {
        if (given != null && !given.matches("[0-9]{1,20}")) {
            throw new ParameterException(ATTEMPT + " must be 1 to 20 digits.");
        }
        return given == null ? UUID.randomUUID().toString() : given;
    }
}
