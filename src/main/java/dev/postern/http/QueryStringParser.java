package dev.postern.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A parser of raw query strings, which are null if there is no query. Unlike the servlet API, it does not read the
 * body. Only ampersands separate parameters, which are encoded as in a form.
 */
final class QueryStringParser {

    private static final System.Logger LOG = System.getLogger(QueryStringParser.class.getName());
    private static final String TOKEN = "token";

    private QueryStringParser() {}

    /** Whether {@code query} has a parameter whose decoded name is {@code token}, with any value. */
    static boolean hasToken(@Nullable String query) {
        return query != null
                && Arrays.stream(parameters(query)).anyMatch(parameter -> TOKEN.equals(decoded(name(parameter))));
    }

    /** The first value of each parameter, empty if it has none; a parameter with a malformed escape is left out. */
    static Map<String, String> firstValues(@Nullable String query) {
        Map<String, String> values = new HashMap<>();
        for (String parameter : query == null || query.isEmpty() ? new String[0] : parameters(query)) {
            String rawName = name(parameter);
            @Nullable String name = decoded(rawName);
            @Nullable String value = decoded(value(parameter, rawName));
            if (name != null && value != null) {
                values.putIfAbsent(name, value);
            }
        }
        return values;
    }

    /** The first value of the parameter {@code name} in {@code raw}; null if there is none. */
    static @Nullable String first(@Nullable String raw, String name) {
        for (int start = 0; raw != null && start < raw.length(); ) {
            int ampersand = raw.indexOf('&', start);
            int end = ampersand < 0 ? raw.length() : ampersand;
            String parameter = raw.substring(start, end);
            String rawName = name(parameter);
            if (name.equals(decoded(rawName))) {
                return decoded(value(parameter, rawName));
            }
            start = end + 1;
        }
        return null;
    }

    private static String value(String parameter, String rawName) {
        return parameter.substring(Math.min(parameter.length(), rawName.length() + 1));
    }

    private static String[] parameters(String query) {
        return query.split("&", -1);
    }

    private static String name(String parameter) {
        int equals = parameter.indexOf('=');
        return equals < 0 ? parameter : parameter.substring(0, equals);
    }

    private static @Nullable String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformedEscape) {
            LOG.log(System.Logger.Level.DEBUG, "A query parameter has a malformed escape and was left out");
            return null;
        }
    }
}
