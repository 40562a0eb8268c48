package dev.postern.mail.message;

import java.util.Locale;
import java.util.Map;

/**
 * A Content-Type (RFC 2045, section 5), or a Content-Disposition, which is written alike (RFC 2183).
 *
 * @param value in lower case, without parameters
 * @param parameters by their names in lower case, as they were sent
 */
record MediaType(String value, Map<String, String> parameters) {

    private static final int MAX_CHARS = 100;

    /** @param header as it was sent; whatever is no type is {@code text/plain} */
    static MediaType of(String header) {
        Parameters read = Parameters.of(header);
        String value = Cleaned.line(read.value().replaceAll("\\([^)]*\\)", "").replaceAll("\\s+", ""), MAX_CHARS)
                .toLowerCase(Locale.ROOT);
        boolean isType = value.matches("[^/\\s\"<>]+/[^/\\s\"<>]+");
        return new MediaType(isType ? value : "text/plain", read.parameters());
    }

    boolean isMultipart() {
        return value.startsWith("multipart/");
    }

    String charset() {
        return parameters.getOrDefault("charset", "");
    }
}
