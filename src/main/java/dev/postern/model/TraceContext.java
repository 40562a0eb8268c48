package dev.postern.model;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A trace context: the trace that a request, a run or a delivery is part of, and the span that it continues.
 *
 * @param traceparent the value of the header of that name, in version 00
 * @param tracestate the value of the header of that name, at most {@value #MAX_STATE} characters; empty if there is none
 * @see <a href="https://www.w3.org/TR/trace-context/">W3C Trace Context</a>
 */
public record TraceContext(String traceparent, String tracestate) {

    /** The name of the header with the trace and the span, in lower case. */
    public static final String TRACEPARENT = "traceparent";

    /** The name of the header with what tracing systems add, in lower case. */
    public static final String TRACESTATE = "tracestate";

    /** The most characters of a {@code tracestate} (section 3.3.1.5: at least so many are to be passed on). */
    public static final int MAX_STATE = 512;

    private static final Pattern PARENT = Pattern.compile("00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}");

    private static final Pattern STATE = Pattern.compile("[ -~]{0," + MAX_STATE + "}");

    private static final int TRACE_ID_AT = 3;
    private static final int TRACE_ID_ENDS = 35;

    /** @throws IllegalArgumentException if a value does not have its form */
    public TraceContext {
        if (!PARENT.matcher(traceparent).matches() || !STATE.matcher(tracestate).matches()) {
            throw new IllegalArgumentException("not a trace context");
        }
    }

    /** The id of the trace: 32 hexadecimal digits in lower case. */
    public String traceId() {
        return traceparent.substring(TRACE_ID_AT, TRACE_ID_ENDS);
    }

    /** This context as one text, which {@link #read} reads. */
    public String text() {
        return tracestate.isEmpty() ? traceparent : traceparent + ' ' + tracestate;
    }

    /** The context that {@link #text} gave; null for null, and for any other text. */
    public static @Nullable TraceContext read(@Nullable String text) {
        if (text == null) {
            return null;
        }
        int space = text.indexOf(' ');
        String parent = space < 0 ? text : text.substring(0, space);
        String state = space < 0 ? "" : text.substring(space + 1);
        return PARENT.matcher(parent).matches() && STATE.matcher(state).matches()
                ? new TraceContext(parent, state)
                : null;
    }

    /** {@link #text} of {@code context}; null for null. */
    public static @Nullable String textOf(@Nullable TraceContext context) {
        return context == null ? null : context.text();
    }

    /** {@link #traceId} of {@code context}; null for null. */
    public static @Nullable String traceIdOf(@Nullable TraceContext context) {
        return context == null ? null : context.traceId();
    }
}
