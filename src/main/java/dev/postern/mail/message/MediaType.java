package dev.postern.mail.message;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A media type from the header Content-Type (RFC 2045, section 5).
 *
 * @param value the type in lower case, without parameters
 * @param parameters values as they were sent, keyed by their names in lower case
 */
record MediaType(String value, Map<String, String> parameters) {

    private static final int MAX_CHARS = 100;

    private static final Pattern NOISE = Pattern.compile("\\([^)]*\\)|\\s+");
    private static final Pattern TYPE = Pattern.compile("[^/\\s\"<>]+/[^/\\s\"<>]+");

    /** @param header the header as it was sent; anything that is no type becomes {@code text/plain} */
    static MediaType of(String header) {
        HeaderParameters read = HeaderParameters.of(header);
        String value = SingleLineText.line(NOISE.matcher(read.value()).replaceAll(""), MAX_CHARS)
                .toLowerCase(Locale.ROOT);
        return new MediaType(TYPE.matcher(value).matches() ? value : "text/plain", read.parameters());
    }

    boolean isMultipart() {
        return value.startsWith("multipart/");
    }

    /** Whether paragraphs are broken into lines anywhere (RFC 3676). */
    boolean isFlowed() {
        return "flowed".equalsIgnoreCase(parameters.get("format"));
    }

    /** Whether the space at which a paragraph is broken is not part of the text. */
    boolean deletesSpace() {
        return "yes".equalsIgnoreCase(parameters.get("delsp"));
    }

    String charset() {
        return parameters.getOrDefault("charset", "");
    }
}
