package dev.postern.it.openapi;

import java.net.URI;
import java.util.Comparator;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A path of the document.
 *
 * @param template with names in braces; the value of the last one may hold slashes, since a hook's name may
 * @param operations the operations, by method
 */
record PathSpecification(String template, Pattern pattern, Map<String, Operation> operations) {

    /**
     * An operation that can be requested.
     *
     * @param body the schema of the request's body; null if there is none
     * @param responses the responses, by status
     */
    record Operation(URI body, Map<String, ResponseSpecification> responses) {}

    /** The order in which places are tried: those without names first, then the longest. */
    static final Comparator<PathSpecification> CLOSEST_FIRST = Comparator.comparing(
                    (PathSpecification pathSpecification) ->
                            pathSpecification.template().contains("{"))
            .thenComparing(pathSpecification ->
                    -pathSpecification.template().replaceAll("\\{\\w+}", "").length());

    PathSpecification(String template, Map<String, Operation> operations) {
        this(template, pattern(template), operations);
    }

    private static Pattern pattern(String template) {
        String within = template.replaceAll("\\{\\w+}$", "\\\\E.*\\\\Q").replaceAll("\\{\\w+}", "\\\\E[^/]+\\\\Q");
        return Pattern.compile("\\Q" + within + "\\E", Pattern.DOTALL);
    }

    boolean isAt(String path) {
        return pattern.matcher(path).matches();
    }

    /** How many segments the template has. */
    int segments() {
        return template.split("/", -1).length - 1;
    }
}
