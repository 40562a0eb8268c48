package dev.postern.http;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** A request's preference for a stream of events over JSON (RFC 9110, section 12.5.1). */
final class EventStreamPreference {

    static final String MEDIA_TYPE = "text/event-stream";

    private static final String JSON = "application/json";
    private static final String ANY_APPLICATION = "application/*";
    private static final String ANY = "*/*";

    private EventStreamPreference() {}

    /**
     * Whether {@code request} prefers the stream: its Accept headers name the stream's media type itself, with a quality
     * above that of JSON, or equal to it where JSON is accepted by a wildcard alone. A range that is not valid counts for
     * nothing; a preference is never an error.
     */
    static boolean isStatedIn(HttpServletRequest request) {
        double stream = 0;
        double json = -1;
        double wildcard = 0;
        int specificity = 0;
        for (String header : Collections.list(request.getHeaders("Accept"))) {
            for (String range : WaitPreference.split(header, ',')) {
                List<String> parts = WaitPreference.split(range, ';');
                String type = parts.get(0).strip().toLowerCase(Locale.ROOT);
                double quality = quality(parts);
                if (type.equals(MEDIA_TYPE)) {
                    stream = Math.max(stream, quality);
                } else if (type.equals(JSON)) {
                    json = Math.max(json, quality);
                } else if (type.equals(ANY_APPLICATION) || (type.equals(ANY) && specificity == 0)) {
                    wildcard = quality;
                    specificity = type.equals(ANY) ? 0 : 1;
                }
            }
        }
        return stream > 0 && (json < 0 ? stream >= wildcard : stream > json);
    }

    /** The weight of a media range: 1 if none is given, 0 if it is not valid. */
    private static double quality(List<String> parts) {
        for (String part : parts.subList(1, parts.size())) {
            String parameter = part.strip().toLowerCase(Locale.ROOT);
            if (parameter.startsWith("q=")) {
                String weight = parameter.substring(2);
                return weight.matches("0(\\.[0-9]{0,3})?|1(\\.0{0,3})?") ? Double.parseDouble(weight) : 0;
            }
        }
        return 1;
    }
}
