package dev.postern.mapping.script.rhino;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A rewriter of times with a space in place of the {@code T}, as senders such as GitLab write them. Other engines read them
 * too; Rhino knows ISO 8601.
 */
public final class DateTextRewriter {

    private static final int LONGEST = 45;
    private static final Pattern SPACED =
            Pattern.compile("(\\d{4}-\\d\\d-\\d\\d) (\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d{1,9})?)?)"
                    + "(?: ?(UTC|Z|[+-]\\d\\d:?\\d\\d)| ?\\(UTC\\))?");

    private DateTextRewriter() {}

    /** Gives {@code text} in ISO 8601 if it is a time with a space; else {@code text} itself. Without a zone it is local. */
    public static String iso(String text) {
        Matcher spaced = SPACED.matcher(text.length() > LONGEST ? "" : text);
        if (!spaced.matches()) {
            return text;
        }
        String zone = spaced.group(3) == null ? "" : spaced.group(3).replace("UTC", "Z");
        return spaced.group(1) + "T" + spaced.group(2) + zone;
    }
}
