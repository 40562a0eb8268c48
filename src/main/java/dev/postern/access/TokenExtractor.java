package dev.postern.access;

import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An extractor of the token that a request presents. {@code Authorization: Bearer} decides if it is present (RFC 6750
 * section 2.1; the scheme in any case, RFC 9110 section 11.1). Otherwise the first token header that is present
 * decides, {@code x-service-token} before the configured ones. A header that is sent twice, or is longer than 8 KiB,
 * presents nothing.
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

    /** The token as presented, possibly empty or wrong; null if there is none, or its header is malformed. */
    @Nullable
    String token(HeaderLookup headerLookup) {
        Enumeration<String> authorization = SingleHeaderReader.of(headerLookup, AUTHORIZATION);
        if (authorization.hasMoreElements()) {
            String value = SingleHeaderReader.singleValue(authorization);
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
                return SingleHeaderReader.singleValue(values);
            }
        }
        return null;
    }

    /**
     * Whether a token header is present, well-formed or not. {@code Authorization} of another scheme does not count.
     */
    boolean isPresent(HeaderLookup headerLookup) {
        Enumeration<String> authorization = SingleHeaderReader.of(headerLookup, AUTHORIZATION);
        if (authorization.hasMoreElements()) {
            String value = SingleHeaderReader.singleValue(authorization);
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
