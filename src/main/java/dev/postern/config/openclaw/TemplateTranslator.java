package dev.postern.config.openclaw;

import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A translator of templates. A text that OpenClaw leaves as it is, and that FreeMarker would read as its own, is written so
 * that it comes out unchanged.
 *
 * @param forEach the payload's field whose elements make one action each; null for none. In OpenClaw the field then holds a list of
 *     the one element, which Postern calls {@code item}
 */
record TemplateTranslator(@Nullable String forEach) {

    /** A placeholder of OpenClaw. */
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{([^}]+)}}");

    /** The beginnings of FreeMarker's expressions and tags, in both syntaxes. */
    private static final Pattern FREEMARKER = Pattern.compile("[$#](?=\\{(?!\\{))|<(?=/?[#@])|\\[(?=[=#@]|/[#@])");

    /** The first element of a list, behind the list's name. */
    private static final Pattern FIRST = Pattern.compile("(\\.0|\\.?\\[0])(?=[.\\[]|$)");

    /** The first names of a path that mean something else in a mapping with {@code forEach}. */
    private static final Pattern RESERVED = Pattern.compile("(item|index)(?=[.\\[]|$)");

    /** Whether {@code text} is the same for every request in OpenClaw. */
    static boolean isConstant(String text) {
        return !PLACEHOLDER.matcher(text).find();
    }

    /** The text before the first placeholder. */
    static String beginning(String template) {
        Matcher placeholder = PLACEHOLDER.matcher(template);
        return placeholder.find() ? template.substring(0, placeholder.start()) : template;
    }

    /** The template of Postern that renders as {@code template} does in OpenClaw. */
    String translate(String template) {
        StringBuilder translated = new StringBuilder();
        int done = 0;
        for (MatchResult placeholder : PLACEHOLDER.matcher(template).results().toList()) {
            translated.append(literal(template.substring(done, placeholder.start())));
            translated.append(
                    placeholder(placeholder.group(), placeholder.group(1).strip()));
            done = placeholder.end();
        }
        return translated.append(literal(template.substring(done))).toString();
    }

    /** The text of each match becomes a string of an expression. */
    private static String literal(String text) {
        return FREEMARKER.matcher(text).replaceAll("\\$\\{\"$0\"}");
    }

    private String placeholder(String whole, String path) {
        if (forEach == null) {
            return whole;
        }
        String inPayload = path.startsWith("payload.") ? path.substring("payload.".length()) : path;
        if (inPayload.startsWith(forEach)) {
            String rest = inPayload.substring(forEach.length());
            Matcher first = FIRST.matcher(rest);
            if (first.lookingAt()) {
                return "{{item" + rest.substring(first.end()) + "}}";
            }
            if (rest.isEmpty()) {
                return "[{{item}}]";
            }
        }
        return RESERVED.matcher(path).lookingAt() ? "{{payload." + path + "}}" : whole;
    }
}
