package dev.postern.http;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The {@code wait} preference of a request (RFC 7240, section 4.3). */
final class Preference {

    private static final int MAX_SECONDS = 120;
    private static final String WAIT = "wait";

    private Preference() {}

    /**
     * How long the sender would like to wait for the action's end: the first {@code wait} in the Prefer headers, at most
     * 120 s. Empty where there is none, or none that makes sense; a preference is never an error.
     */
    static Optional<Duration> wait(List<String> preferHeaders) {
        for (String header : preferHeaders) {
            for (String preference : header.split(",", -1)) {
                String[] parts = preference.split(";", 2)[0].split("=", 2);
                if (parts.length == 2 && parts[0].strip().equalsIgnoreCase(WAIT)) {
                    return seconds(parts[1].strip().replace("\"", ""));
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<Duration> seconds(String value) {
        if (value.isEmpty() || value.length() > 9 || !value.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return Optional.empty();
        }
        int seconds = Math.min(Integer.parseInt(value), MAX_SECONDS);
        return seconds == 0 ? Optional.empty() : Optional.of(Duration.ofSeconds(seconds));
    }
}
