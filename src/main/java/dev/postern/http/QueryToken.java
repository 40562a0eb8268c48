package dev.postern.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Looks for a parameter called {@code token} in a query, without touching the body as the servlet API's way would. */
final class QueryToken {

    private static final String NAME = "token";

    private QueryToken() {}

    /** True where {@code query} (raw, null when there is none) has a parameter whose decoded name is {@code token}. */
    static boolean isIn(@Nullable String query) {
        if (query == null) {
            return false;
        }
        int start = 0;
        while (start <= query.length()) {
            int end = query.indexOf('&', start);
            end = end < 0 ? query.length() : end;
            if (named(query.substring(start, end))) {
                return true;
            }
            start = end + 1;
        }
        return false;
    }

    private static boolean named(String parameter) {
        int equals = parameter.indexOf('=');
        String name = equals < 0 ? parameter : parameter.substring(0, equals);
        if (name.indexOf('%') < 0) {
            return name.equals(NAME);
        }
        try {
            return URLDecoder.decode(name, StandardCharsets.UTF_8).equals(NAME);
        } catch (IllegalArgumentException malformedEscape) {
            return false;
        }
    }
}
