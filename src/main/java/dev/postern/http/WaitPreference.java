package dev.postern.http;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The {@code wait} preference of a request (RFC 7240, section 4.3). */
final class WaitPreference {

    private static final int MAX_SECONDS = 120;
    private static final String WAIT = "wait";

    private WaitPreference() {}

    /**
     * The time that the sender prefers to wait for the action's end: the first {@code wait} in the Prefer headers, at
     * most 120 s. Empty if there is none, or if it is not valid; a preference is never an error.
     */
    static Optional<Duration> wait(List<String> preferHeaders) {
        for (String header : preferHeaders) {
            for (String preference : split(header, ',')) {
                String[] parts = split(preference, ';').get(0).split("=", 2);
                if (parts.length == 2 && parts[0].strip().equalsIgnoreCase(WAIT)) {
                    return seconds(unquoted(parts[1].strip()));
                }
            }
        }
        return Optional.empty();
    }

    /** The parts of {@code text} between separators outside quoted strings (RFC 9110, section 5.6.4). */
    static List<String> split(String text, char separator) {
        List<String> parts = new ArrayList<>();
        boolean quoted = false;
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == '\\' && quoted) {
                i++; // the next character is escaped
            } else if (c == separator && !quoted) {
                parts.add(text.substring(start, i));
                start = i + 1;
            }
        }
        parts.add(text.substring(start));
        return parts;
    }

    private static String unquoted(String word) {
        return word.length() > 1 && word.startsWith("\"") && word.endsWith("\"")
                ? word.substring(1, word.length() - 1).replaceAll("\\\\(.)", "$1")
                : word;
    }

    private static Optional<Duration> seconds(String value) {
        if (value.isEmpty() || value.length() > 9 || !value.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return Optional.empty();
        }
        int seconds = Math.min(Integer.parseInt(value), MAX_SECONDS);
        return seconds == 0 ? Optional.empty() : Optional.of(Duration.ofSeconds(seconds));
    }
}
