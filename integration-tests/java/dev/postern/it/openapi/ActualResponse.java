package dev.postern.it.openapi;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * An HTTP response.
 *
 * @param headers by name in any case
 * @param body as text, empty where there is none
 */
public record ActualResponse(int status, Map<String, List<String>> headers, String body) {

    public ActualResponse {
        Map<String, List<String>> byName = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach((name, values) -> {
            if (name != null) {
                byName.put(name, values);
            }
        });
        headers = byName;
    }

    /** Whether it is the web application's: what a server refuses by itself it answers in its own words. */
    boolean isOurs() {
        return headers.containsKey("X-Content-Type-Options");
    }

    /** Whether it is only a status to a sender whose own body broke off: GlassFish sends nothing more on such a connection. */
    boolean isCutOff() {
        return status == 400
                && body.isEmpty()
                && headers.getOrDefault("Connection", List.of()).contains("close");
    }

    /** The media type without its parameters, empty where there is none. */
    String mediaType() {
        return headers.getOrDefault("Content-Type", List.of(""))
                .get(0)
                .split(";", 2)[0]
                .strip()
                .toLowerCase(Locale.ROOT);
    }
}
