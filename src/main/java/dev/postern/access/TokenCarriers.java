package dev.postern.access;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the token that a request presents. {@code Authorization: Bearer} (RFC 6750 section 2.1, the scheme in any case
 * as RFC 9110 section 11.1 has it) decides when it is there; otherwise the first token header that is there does,
 * {@code x-service-token} before the configured ones. Whoever sends a carrier twice, or one over 8 KiB, presents nothing.
 */
final class TokenCarriers {

    private static final String SERVICE_TOKEN = "x-service-token";
    private static final String SCHEME = "Bearer";
    private static final int MAX_VALUE_BYTES = 8 * 1024;

    private final List<String> tokenHeaders;

    TokenCarriers(List<String> furtherHeaders) {
        List<String> names = new ArrayList<>();
        names.add(SERVICE_TOKEN);
        names.addAll(furtherHeaders);
        this.tokenHeaders = List.copyOf(names);
    }

    /** The token as presented, perhaps empty and perhaps wrong; null when none is, or when a carrier is malformed. */
    @Nullable
    String presented(Headers headers) {
        Enumeration<String> authorization = values(headers, "Authorization");
        if (authorization.hasMoreElements()) {
            String value = onlyValue(authorization);
            if (value == null) {
                return null;
            }
            if (isBearer(value)) {
                return trimmed(value, SCHEME.length());
            }
        }
        for (String name : tokenHeaders) {
            Enumeration<String> values = values(headers, name);
            if (values.hasMoreElements()) {
                return onlyValue(values);
            }
        }
        return null;
    }

    private static Enumeration<String> values(Headers headers, String name) {
        Enumeration<String> values = headers.values(name);
        return values == null ? Collections.emptyEnumeration() : values;
    }

    private static @Nullable String onlyValue(Enumeration<String> values) {
        String value = values.nextElement();
        return values.hasMoreElements() || value.length() > MAX_VALUE_BYTES ? null : trimmed(value, 0);
    }

    private static boolean isBearer(String value) {
        int end = SCHEME.length();
        return value.regionMatches(true, 0, SCHEME, 0, end) && (value.length() == end || isBlank(value.charAt(end)));
    }

    /** What stands from {@code start} on, without the optional whitespace (RFC 9110 section 5.6.3) around it. */
    private static String trimmed(String value, int start) {
        int from = start;
        int to = value.length();
        while (from < to && isBlank(value.charAt(from))) {
            from++;
        }
        while (from < to && isBlank(value.charAt(to - 1))) {
            to--;
        }
        return value.substring(from, to);
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }
}
