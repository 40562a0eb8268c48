package dev.postern.access;

import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the token that a request presents. {@code Authorization: Bearer} (RFC 6750 section 2.1, the scheme in any case
 * as RFC 9110 section 11.1 has it) decides when it is there; otherwise the first token header that is there does,
 * {@code x-service-token} before the configured ones. Whoever sends a carrier twice, or one over 8 KiB, presents nothing.
 */
final class TokenExtractor {

    private static final String AUTHORIZATION = "Authorization";
    private static final String SERVICE_TOKEN = "x-service-token";
    private static final String SCHEME = "Bearer";

    private final List<String> tokenHeaders;

    TokenExtractor(List<String> furtherHeaders) {
        List<String> names = new ArrayList<>();
        names.add(SERVICE_TOKEN);
        names.addAll(furtherHeaders);
        this.tokenHeaders = List.copyOf(names);
    }

    /** The token as presented, perhaps empty and perhaps wrong; null when none is, or when a carrier is malformed. */
    @Nullable
    String presented(HeaderLookup headerLookup) {
        Enumeration<String> authorization = SingleHeaderReader.of(headerLookup, AUTHORIZATION);
        if (authorization.hasMoreElements()) {
            String value = SingleHeaderReader.only(authorization);
            if (value == null) {
                return null;
            }
            if (isBearer(value)) {
                return SingleHeaderReader.trimmed(value, SCHEME.length());
            }
        }
        for (String name : tokenHeaders) {
            Enumeration<String> values = SingleHeaderReader.of(headerLookup, name);
            if (values.hasMoreElements()) {
                return SingleHeaderReader.only(values);
            }
        }
        return null;
    }

    /** Whether there is a carrier, well-formed or not. {@code Authorization} of another scheme alone is none. */
    boolean anyIn(HeaderLookup headerLookup) {
        Enumeration<String> authorization = SingleHeaderReader.of(headerLookup, AUTHORIZATION);
        if (authorization.hasMoreElements()) {
            String value = SingleHeaderReader.only(authorization);
            if (value == null || isBearer(value)) {
                return true;
            }
        }
        return tokenHeaders.stream()
                .anyMatch(name -> SingleHeaderReader.of(headerLookup, name).hasMoreElements());
    }

    private static boolean isBearer(String value) {
        int end = SCHEME.length();
        return value.regionMatches(true, 0, SCHEME, 0, end)
                && (value.length() == end || SingleHeaderReader.isBlank(value.charAt(end)));
    }
}
