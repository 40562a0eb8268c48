package dev.postern.observe;

import dev.postern.model.TraceContext;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The headers {@code traceparent} and {@code tracestate} of W3C Trace Context. What a sender writes in them is read by
 * OpenTelemetry's own reader; malformed values count as none.
 */
public final class TraceHeaders {

    private static final W3CTraceContextPropagator W3C = W3CTraceContextPropagator.getInstance();

    private static final TextMapGetter<Map<String, String>> FIELDS =
            (fields, name) -> fields == null ? null : fields.get(name);

    private TraceHeaders() {}

    /**
     * The trace context that a request's headers name; null if they name none, or more than one. A {@code tracestate} that is
     * malformed or has more than {@value TraceContext#MAX_STATE} characters is left out.
     *
     * @param headers the values of a header by its name; null or empty if the request has none
     */
    public static @Nullable TraceContext read(Function<String, @Nullable Enumeration<String>> headers) {
        @Nullable Enumeration<String> parents = headers.apply(TraceContext.TRACEPARENT);
        if (parents == null || !parents.hasMoreElements()) {
            return null;
        }
        String parent = parents.nextElement();
        return parents.hasMoreElements()
                ? null
                : of(spanContext(parent, joined(headers.apply(TraceContext.TRACESTATE))));
    }

    /** The values of a header that may be sent several times; empty if they are too long. */
    private static String joined(@Nullable Enumeration<String> values) {
        StringBuilder joined = new StringBuilder();
        while (values != null && values.hasMoreElements()) {
            joined.append(joined.isEmpty() ? "" : ",").append(values.nextElement());
            if (joined.length() > TraceContext.MAX_STATE) {
                return "";
            }
        }
        return joined.toString();
    }

    /**
     * The {@code traceparent} for a request that is sent now: that of the calling thread's span; null if there is none. No
     * {@code tracestate} belongs to it, because a sender may have written it.
     */
    public static @Nullable String outgoing() {
        @Nullable TraceContext current = of(Span.current().getSpanContext());
        return current == null ? null : current.traceparent();
    }

    /** The context of the calling thread's span; null if there is none. */
    public static @Nullable TraceContext current() {
        return of(Span.current().getSpanContext());
    }

    static SpanContext spanContext(TraceContext context) {
        return spanContext(context.traceparent(), context.tracestate());
    }

    private static SpanContext spanContext(String parent, String state) {
        Map<String, String> fields = Map.of(TraceContext.TRACEPARENT, parent, TraceContext.TRACESTATE, state);
        return Span.fromContext(W3C.extract(Context.root(), fields, FIELDS)).getSpanContext();
    }

    static @Nullable TraceContext of(SpanContext spanContext) {
        if (!spanContext.isValid()) {
            return null;
        }
        Map<String, String> fields = new HashMap<>();
        W3C.inject(Context.root().with(Span.wrap(spanContext)), fields, (to, name, value) -> {
            if (to != null) {
                to.put(name, value);
            }
        });
        String state = fields.getOrDefault(TraceContext.TRACESTATE, "");
        return new TraceContext(
                fields.getOrDefault(TraceContext.TRACEPARENT, ""),
                state.length() > TraceContext.MAX_STATE ? "" : state);
    }
}
