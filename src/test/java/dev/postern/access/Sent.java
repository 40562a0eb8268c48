package dev.postern.access;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The headers of a request, as a sender writes them. */
final class Sent implements HeaderLookup {

    private final Map<String, List<String>> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    static Sent nothing() {
        return new Sent();
    }

    static Sent bearer(String token) {
        return nothing().with("Authorization", "Bearer " + token);
    }

    Sent with(String name, String value) {
        fields.computeIfAbsent(name.toLowerCase(Locale.ROOT), key -> new ArrayList<>())
                .add(value);
        return this;
    }

    /** This request with another value of one header. */
    Sent instead(String name, String value) {
        return without(name).with(name, value);
    }

    Sent without(String name) {
        Sent sent = new Sent();
        sent.fields.putAll(fields);
        sent.fields.remove(name);
        return sent;
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
