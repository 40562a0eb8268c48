package dev.postern.mapping.template;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The built-ins that a template may use. Each runs in time that grows only with its input, and its result is at most a few
 * times its input. {@link TemplateFunctions} replaces those that could take or give more. Regular expressions and the
 * evaluation of text are not allowed.
 */
final class AllowedBuiltIns {

    private static final Map<String, Form> FORMS = new HashMap<>();

    /** A way to guard a built-in. */
    enum Kind {
        /** FreeMarker runs it. A missing input gives a missing value. */
        PLAIN,
        /** Guarded as PLAIN, with arguments that must be literals, because a format can be an attack. */
        WRITTEN,
        /** Guarded as WRITTEN, for a text that is short enough for a date. */
        MOMENT,
        /** Treats a missing value as an empty one. */
        TOLERANT,
        /** Takes cases and a result for each; {@link LooseEquality} compares them. */
        CHOICE,
        /** Reads the state of a loop variable. */
        LOOP,
        /** Takes {@code x -> …}. */
        LAMBDA,
        /** {@link TemplateFunctions} runs it. */
        OWN
    }

    /**
     * An allowed built-in.
     *
     * @param least fewest arguments
     * @param most most arguments
     */
    record Form(Kind kind, int least, int most) {}

    static {
        put(Kind.PLAIN, 0, 0, "abs ceiling floor round int long number c min max");
        put(Kind.PLAIN, 0, 0, "cap_first uncap_first trim length");
        put(Kind.PLAIN, 0, 0, "chop_linebreak html xml js_string json_string url_path boolean");
        put(Kind.PLAIN, 0, 0, "blank_to_null empty_to_null trim_to_null first last reverse keys values sequence size");
        put(
                Kind.PLAIN,
                0,
                0,
                "is_boolean is_date_like is_enumerable is_hash_ex is_indexable is_number is_sequence is_string");
        put(Kind.PLAIN, 0, 0, "number_to_date number_to_time number_to_datetime");
        put(Kind.PLAIN, 0, 0, "date_if_unknown time_if_unknown datetime_if_unknown");
        put(
                Kind.PLAIN,
                0,
                0,
                "iso_utc iso_utc_nz iso_utc_ms iso_utc_ms_nz iso_utc_m iso_utc_m_nz iso_utc_h iso_utc_h_nz");
        put(
                Kind.PLAIN,
                1,
                1,
                "starts_with ends_with remove_beginning remove_ending ensure_starts_with ensure_ends_with");
        put(Kind.PLAIN, 1, 2, "substring truncate truncate_c truncate_w");
        put(Kind.WRITTEN, 0, 2, "string");
        put(Kind.WRITTEN, 0, 1, "url");
        put(Kind.MOMENT, 0, 1, "date time datetime");
        put(Kind.WRITTEN, 1, 1, "iso iso_nz iso_ms iso_ms_nz iso_m iso_m_nz iso_h iso_h_nz");
        put(Kind.TOLERANT, 0, 0, "has_content");
        put(Kind.TOLERANT, 2, 2, "then");
        put(Kind.CHOICE, 2, 200, "switch");
        put(
                Kind.LOOP,
                0,
                0,
                "index counter has_next is_first is_last is_even_item is_odd_item item_parity item_parity_cap");
        put(Kind.LOOP, 1, 20, "item_cycle");
        put(Kind.LAMBDA, 1, 1, "map filter take_while drop_while");
        put(Kind.OWN, 1, 3, "join");
        put(Kind.OWN, 1, 1, "sort_by seq_contains");
        put(Kind.OWN, 1, 1, "contains split keep_before keep_before_last keep_after keep_after_last");
        put(Kind.OWN, 1, 2, "index_of last_index_of left_pad right_pad");
        put(Kind.OWN, 2, 2, "replace");
        put(Kind.OWN, 0, 0, "sort word_list capitalize lower_case upper_case c_lower_case c_upper_case");
    }

    private AllowedBuiltIns() {}

    private static void put(Kind kind, int least, int most, String names) {
        for (String name : names.split(" ", -1)) {
            FORMS.put(name, new Form(kind, least, most));
        }
    }

    static @Nullable Form form(String name) {
        return FORMS.get(name);
    }

    /** The error message for a built-in that is not allowed. */
    static String rejectionMessage(String name) {
        return switch (name) {
            case "eval", "interpret", "eval_json" ->
                "?" + name + " would run text as a template and is not available. Use a transform script instead.";
            case "new", "api", "has_api" -> "?" + name + " reaches Java and is not available.";
            case "matches", "groups" ->
                "?" + name
                        + " takes a regular expression and is not available. Use ?contains, ?starts_with or ?keep_after.";
            case "exists", "if_exists", "default" -> "?" + name + " is not available. Write x?? or x!\"…\" instead.";
            case "is_hash" -> "?is_hash is not available. Write ?is_hash_ex instead.";
            default -> "?" + name + " is not available in a template here. Use a transform script instead.";
        };
    }
}
