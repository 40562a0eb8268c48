package dev.postern.agent;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;

/**
 * Finds what chat models take for the end of a message or the beginning of another's: {@code <|im_start|>}, {@code [INST]},
 * {@code <start_of_turn>}, {@code <tool_call>} and their kin, in compatibility forms and with invisible characters too.
 */
final class ControlTokens {

    private static final int MAX_TOKEN = 96;

    /** Named in angle brackets, perhaps with attributes. */
    private static final Set<String> TAGS = Set.of(
            "bos",
            "eos",
            "pad",
            "unk",
            "mask",
            "bos_token",
            "eos_token",
            "pad_token",
            "unk_token",
            "eod",
            "eop",
            "sop",
            "sys",
            "start_of_turn",
            "end_of_turn",
            "begin_of_text",
            "end_of_text",
            "begin_of_sentence",
            "end_of_sentence",
            "start_of_image",
            "end_of_image",
            "tool_call",
            "tool_calls",
            "tool_response",
            "tool_responses",
            "tool_result",
            "tool_results",
            "tool_use",
            "tools",
            "function_call",
            "function_calls",
            "function_results",
            "invoke",
            "think",
            "thinking",
            "fim_prefix",
            "fim_middle",
            "fim_suffix",
            "fim_pad",
            "file_sep",
            "repo_name",
            "endoftext",
            "im_start",
            "im_end",
            "im_sep",
            "start_header_id",
            "end_header_id",
            "eot_id",
            "eom_id");

    /** Tokens as they stand alone in angle brackets; with attributes they are HTML. */
    private static final Set<String> BARE_TAGS = Set.of("s", "/s");

    /** Named in square brackets. */
    private static final Set<String> BRACKETED = Set.of(
            "inst",
            "/inst",
            "system_prompt",
            "/system_prompt",
            "available_tools",
            "/available_tools",
            "tool_calls",
            "/tool_calls",
            "tool_results",
            "/tool_results",
            "tool_content",
            "/tool_content",
            "gmask",
            "sop",
            "eop");

    /** The characters at which a token may begin. */
    private static final boolean[] MAY_OPEN = mayOpen();

    private final String text;
    private final Glyph glyph;
    private final StringBuilder inside = new StringBuilder();
    private int end;

    private ControlTokens(String text, boolean tagsAreRead) {
        this.text = text;
        this.glyph = new Glyph(text, tagsAreRead);
    }

    /** {@code text} with each token in it replaced by its name in words that no model takes for one. */
    static String replaced(String text, boolean tagsAreRead) {
        return new ControlTokens(text, tagsAreRead).replaced();
    }

    private String replaced() {
        StringBuilder result = null;
        int kept = 0;
        int at = 0;
        while (at < text.length()) {
            if (!MAY_OPEN[text.charAt(at)]) {
                at++;
                continue;
            }
            glyph.read(at);
            int next = glyph.end();
            String opening = glyph.likeliest();
            if ((opening.equals("<") && isTag(">")) || (opening.equals("[") && isBracketed())) {
                result = result == null ? new StringBuilder(text.length() + 32) : result;
                result.append(text, kept, at)
                        .append("(control token ")
                        .append(name())
                        .append(')');
                kept = end;
                next = end;
            }
            at = next;
        }
        return result == null ? text : result.append(text, kept, text.length()).toString();
    }

    private static boolean[] mayOpen() {
        boolean[] may = new boolean[Character.MIN_SUPPLEMENTARY_CODE_POINT];
        for (int c = 0; c < may.length; c++) {
            may[c] = c == '<' || c == '[' || c == '&' || LookAlikes.isBracket(c);
        }
        Arrays.fill(may, Character.MIN_HIGH_SURROGATE, Character.MAX_HIGH_SURROGATE + 1, true);
        return may;
    }

    private boolean isBracketed() {
        return reads("]") && BRACKETED.contains(read());
    }

    private boolean isTag(String closing) {
        if (!reads(closing)) {
            return false;
        }
        String name = read();
        if (name.length() > 2 && name.startsWith("|") && name.endsWith("|")) {
            return name.chars().anyMatch(Character::isLetter);
        }
        if (BARE_TAGS.contains(name)) {
            return true;
        }
        String bare = name.startsWith("/") ? name.substring(1).strip() : name;
        int length = 0;
        while (length < bare.length()
                && (Character.isLetterOrDigit(bare.charAt(length)) || bare.charAt(length) == '_')) {
            length++;
        }
        String word = bare.substring(0, length);
        return TAGS.contains(word) || word.startsWith("extra_id_") || word.startsWith("reserved_special_token");
    }

    /** Reads what stands behind the opening that was just read, up to {@code closing}; false where it isn't closed soon. */
    private boolean reads(String closing) {
        inside.setLength(0);
        int at = glyph.end();
        while (at < text.length() && inside.length() <= MAX_TOKEN) {
            glyph.read(at);
            at = glyph.end();
            if (glyph.isInvisible()) {
                continue;
            }
            String reading = glyph.likeliest();
            if (reading.equals(closing)) {
                end = at;
                return true;
            }
            if (reading.equals("<") || reading.equals("[")) {
                return false;
            }
            inside.append(reading);
        }
        return false;
    }

    /** What stands between the brackets. */
    private String read() {
        return inside.toString().toLowerCase(Locale.ROOT).strip();
    }

    /** The same in letters, digits and underscores. */
    private String name() {
        StringBuilder name = new StringBuilder();
        read().chars().forEach(c -> {
            boolean plain = c < 0x80 && (Character.isLetterOrDigit(c) || c == '_');
            if (plain) {
                name.append((char) c);
            } else if (!name.isEmpty() && name.charAt(name.length() - 1) != ' ') {
                name.append(' ');
            }
        });
        return name.toString().strip();
    }
}
