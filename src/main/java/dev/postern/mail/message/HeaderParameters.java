package dev.postern.mail.message;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The value and parameters of a header (RFC 2045, section 5.1). Errors are tolerated: quotes that never end, missing
 * semicolons, the same name twice (the first one counts).
 */
record HeaderParameters(String value, Map<String, String> parameters) {

    private static final int MAX_CHARS = 8_192;

    private static final Pattern PARAMETER = Pattern.compile(
            "([^\\s;=\"]{1,60})\\s*=\\s*(?:\"((?:[^\"\\\\]++|\\\\.)*+)\"?|([^;\\s]*+))", Pattern.DOTALL);

    static HeaderParameters of(String header) {
        String text = SingleLineText.cut(header, MAX_CHARS);
        int semicolon = text.indexOf(';');
        Map<String, String> parameters = new HashMap<>();
        Matcher parameter = PARAMETER.matcher(text);
        int from = semicolon < 0 ? 0 : semicolon + 1;
        while (parameter.find(from)) {
            String quoted = parameter.group(2);
            String sent = quoted == null ? parameter.group(3) : quoted.replaceAll("\\\\(.)", "$1");
            parameters.putIfAbsent(parameter.group(1).toLowerCase(Locale.ROOT), sent);
            from = parameter.end();
        }
        return new HeaderParameters(
                semicolon < 0 ? text.strip() : text.substring(0, semicolon).strip(), parameters);
    }
}
