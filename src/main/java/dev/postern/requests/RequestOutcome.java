package dev.postern.requests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.ingress.Explanation;
import dev.postern.ingress.ExplanationJson;
import dev.postern.model.NothingReason;
import dev.postern.model.RequestLogEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * An outcome of a request: which mapping took it, the response and the actions. Values that are new each time, such as a
 * generated session key, are left out.
 *
 * @param values the values by the names of {@link ExplanationJson}, in the order in which they are shown
 */
record RequestOutcome(Map<String, String> values) {

    private static final String STATUS = "status";
    private static final String MAPPING = "mapping";
    private static final String CODE = "code";
    private static final String ACTIONS = "actions";
    private static final String COALESCE = "coalesce";
    private static final String SESSION_KEY = "sessionKey";

    /** The values of the response; those of a rejection by policy come from its decision. */
    private static final List<String> OF_RESPONSE =
            List.of(MAPPING, STATUS, CODE, "error", "field", "detail", "challenge", "idempotencyKey");

    /** The values that the request log has too. */
    private static final List<String> LOGGED = List.of(MAPPING, STATUS, CODE, ACTIONS);

    private static final Pattern GENERATED = Pattern.compile("hook:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final String NEW_SESSION = "(a new one for each request)";

    /** The codes of responses that depend on the moment, and not on mappings. The log does not say what was mapped. */
    private static final Set<String> PASSING =
            Set.of("overloaded", "unavailable", "budget_spent", "idempotency_conflict", "internal", "body_timeout");

    private static final int FIRST_ERROR = 400;

    /** The outcome that {@code explanation} describes. */
    static RequestOutcome of(Explanation explanation) {
        ObjectNode json = ExplanationJson.of(explanation);
        Map<String, String> values = new LinkedHashMap<>();
        put(values, "", json, OF_RESPONSE);
        JsonNode policy = json.path("policy");
        for (JsonNode decision : policy) {
            if (decision.has("error")) {
                put(values, "", decision, List.of(CODE, "error", "field"));
                return new RequestOutcome(values);
            }
        }
        JsonNode actions = json.path(ACTIONS);
        if (!actions.isEmpty()) {
            values.put(ACTIONS, String.valueOf(actions.size()));
        }
        for (int i = 0; i < actions.size(); i++) {
            String prefix = ACTIONS + "[" + i + "].";
            put(values, prefix, actions.get(i), names(actions.get(i)));
            put(values, prefix, policy.path(i), names(policy.path(i)));
            String key = values.getOrDefault(prefix + SESSION_KEY, "");
            if (!actions.get(i).has(SESSION_KEY) && GENERATED.matcher(key).matches()) {
                values.put(prefix + SESSION_KEY, NEW_SESSION);
            }
        }
        put(values, COALESCE + ".", json.path(COALESCE), names(json.path(COALESCE)));
        return new RequestOutcome(values);
    }

    /** The outcome that the request log has, as far as it says. */
    static RequestOutcome of(RequestLogEntry entry) {
        Map<String, String> values = new LinkedHashMap<>();
        if (!entry.mapping().isEmpty()) {
            values.put(MAPPING, entry.mapping());
        }
        values.put(STATUS, String.valueOf(entry.status()));
        if (entry.status() >= FIRST_ERROR || NothingReason.isReason(entry.code())) {
            values.put(CODE, entry.code());
        }
        if (!entry.became().isEmpty()) {
            values.put(ACTIONS, String.valueOf(entry.became().size()));
        }
        return new RequestOutcome(values);
    }

    /** Whether the response said something about the configuration. */
    static boolean isConclusive(RequestLogEntry entry) {
        return !PASSING.contains(entry.code());
    }

    /** The part of this outcome that the request log has too. */
    RequestOutcome asLogged() {
        Map<String, String> logged = new LinkedHashMap<>(values);
        logged.keySet().retainAll(LOGGED);
        return new RequestOutcome(logged);
    }

    /** The id of the mapping that took the request; empty if none did. */
    String mapping() {
        return values.getOrDefault(MAPPING, "");
    }

    /** The differences between this outcome and {@code after}. */
    List<OutcomeDifference> differences(RequestOutcome after) {
        List<OutcomeDifference> differences = new ArrayList<>();
        for (String name : differing(after)) {
            differences.add(OutcomeDifference.of(name, values.get(name), after.values.get(name)));
        }
        return differences;
    }

    /** The names of the values that differ in {@code other}. */
    Set<String> differing(RequestOutcome other) {
        Set<String> names = new LinkedHashSet<>(values.keySet());
        names.addAll(other.values.keySet());
        names.removeIf(name -> Objects.equals(values.get(name), other.values.get(name)));
        return names;
    }

    /** This outcome without the values that are called {@code names}. */
    RequestOutcome without(Set<String> names) {
        Map<String, String> kept = new LinkedHashMap<>(values);
        kept.keySet().removeAll(names);
        return new RequestOutcome(kept);
    }

    private static List<String> names(JsonNode json) {
        List<String> names = new ArrayList<>();
        json.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private static void put(Map<String, String> values, String prefix, JsonNode json, List<String> names) {
        for (String name : names) {
            JsonNode value = json.path(name);
            if (value.isArray()) {
                values.put(
                        prefix + name,
                        StreamSupport.stream(value.spliterator(), false)
                                .map(JsonNode::asText)
                                .collect(Collectors.joining(", ")));
            } else if (!value.isMissingNode()) {
                values.put(prefix + name, value.asText());
            }
        }
    }
}
