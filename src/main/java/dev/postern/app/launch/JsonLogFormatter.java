package dev.postern.app.launch;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A formatter of log records as JSON, one object a line: {@code timestamp} (ISO 8601 in UTC), {@code level}, {@code logger},
 * {@code thread}, {@code message}, {@code trace_id} if the message names a trace, and {@code exception} with its stack trace
 * if there is one. It stands alone, since it is loaded before the libraries. A configuration of {@code java.util.logging} may name it, too.
 */
public final class JsonLogFormatter extends Formatter {

    /** The trace in messages about a request, a run or a delivery. */
    private static final Pattern TRACE = Pattern.compile("\\btrace ([0-9a-f]{32})\\b");

    private static final char FIRST_PRINTABLE = ' ';
    private static final char LAST_PRINTABLE = '~';

    /** Called by the JDK, if a configuration names this class. */
    public JsonLogFormatter() {}

    @Override
    public String format(LogRecord logRecord) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("timestamp", logRecord.getInstant().toString());
        fields.put("level", logRecord.getLevel().getName());
        fields.put("logger", String.valueOf(logRecord.getLoggerName()));
        fields.put("thread", Thread.currentThread().getName());
        String message = String.valueOf(formatMessage(logRecord));
        fields.put("message", message);
        Matcher trace = TRACE.matcher(message);
        if (trace.find()) {
            fields.put("trace_id", trace.group(1));
        }
        if (logRecord.getThrown() != null) {
            StringWriter stack = new StringWriter();
            logRecord.getThrown().printStackTrace(new PrintWriter(stack));
            fields.put("exception", stack.toString());
        }
        StringBuilder line = new StringBuilder("{");
        fields.forEach((name, value) -> {
            line.append(line.length() == 1 ? "\"" : ",\"").append(name).append("\":\"");
            value.chars().forEach(c -> append(line, (char) c));
            line.append('"');
        });
        return line.append("}\n").toString();
    }

    /** Adds a character of a string (RFC 8259, section 7). Beyond ASCII it is escaped: the locale may not have it. */
    private static void append(StringBuilder line, char c) {
        if (c == '"' || c == '\\') {
            line.append('\\').append(c);
        } else if (c == '\n') {
            line.append("\\n");
        } else if (c < FIRST_PRINTABLE || c > LAST_PRINTABLE) {
            line.append("\\u%04x".formatted((int) c));
        } else {
            line.append(c);
        }
    }
}
