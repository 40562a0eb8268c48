package dev.postern.access;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The headers of a request, as a sender writes them. */
final class RequestHeaders implements HeaderLookup {

    private final Map<String, List<String>> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    static RequestHeaders empty() {
        return new RequestHeaders();
    }

    static RequestHeaders bearer(String token) {
        return empty().with("Authorization", "Bearer " + token);
    }

    RequestHeaders with(String name, String value) {
        fields.computeIfAbsent(name.toLowerCase(Locale.ROOT), key -> new ArrayList<>())
                .add(value);
        return this;
    }

    /** This request with another value of one header. */
    RequestHeaders replacing(String name, String value) {
        return without(name).with(name, value);
    }

    RequestHeaders without(String name) {
        RequestHeaders requestHeaders = new RequestHeaders();
        requestHeaders.fields.putAll(fields);
        requestHeaders.fields.remove(name);
        return requestHeaders;
    }

    /** The only value of a header. */
    String value(String name) {
        List<String> values = fields.getOrDefault(name, List.of());
        if (values.size() != 1) {
            throw new IllegalStateException(name + " is sent " + values.size() + " times");
        }
        return values.get(0);
    }

    @Override
    public Enumeration<String> values(String name) {
        return Collections.enumeration(fields.getOrDefault(name, List.of()));
    }

    @Override
    public String toString() {
        return fields.toString();
    }
}
