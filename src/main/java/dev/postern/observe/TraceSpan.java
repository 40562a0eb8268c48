package dev.postern.observe;

import dev.postern.model.TraceContext;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A span of a trace: a step of the work on a request, from its creation until it is closed by the same thread. It goes to the
 * OpenTelemetry SDK that an agent brings. Without one, a span records nothing; it only passes on the trace context that it
 * continues, so that the sender's trace id is known everywhere.
 *
 * <p>Attributes are ids, names and numbers. They never hold a payload, a prompt, a reply, an argument or a result of a tool,
 * a recipient or a secret.
 */
public final class TraceSpan implements AutoCloseable {

    /** The name of the instrumentation, by which its spans are told from those of the agent. */
    private static final String INSTRUMENTATION = "dev.postern";

    private static final int MAX_TEXT = 100;
    private static final Pattern OTHER_CHARACTER = Pattern.compile("[^A-Za-z0-9 ._:/@+-]");
    private static final AttributeKey<List<String>> FINISH_REASONS =
            AttributeKey.stringArrayKey("gen_ai.response.finish_reasons");

    private static final AttributeKey<String> QUERY = AttributeKey.stringKey("url.query");

    private static final TraceSpan NONE = new TraceSpan(Span.getInvalid(), null, null);

    private final Span span;
    private final @Nullable Scope scope;
    private final @Nullable TraceContext context;

    private TraceSpan(Span span, @Nullable Scope scope, @Nullable TraceContext context) {
        this.span = span;
        this.scope = scope;
        this.context = context;
    }

    /**
     * A span for a request that was admitted. If the thread has a span, as that of a server which the agent watches, it is the
     * parent; it has continued the sender's trace. Otherwise the sender's trace is continued here.
     *
     * @param sender the trace context that the request names; null if it names none
     */
    public static TraceSpan ofRequest(@Nullable TraceContext sender) {
        String name = "hook request";
        Tracer tracer = tracer();
        if (!tracer.isEnabled()) {
            return passing(sender);
        }
        boolean isInside = Span.current().getSpanContext().isValid();
        return isInside || sender == null
                ? begin(tracer.spanBuilder(name), Context.current(), sender)
                : begin(tracer.spanBuilder(name).setSpanKind(SpanKind.SERVER), contextOf(sender), sender);
    }

    /** Removes the query of the address from the server's span of this request, since it may hold a secret or a payload. */
    public static void removeQuery() {
        Span.current().setAttribute(QUERY, "");
    }

    /** A span of the step {@code name} inside the thread's present span. */
    public static TraceSpan child(String name) {
        return child(name, SpanKind.INTERNAL);
    }

    /** As {@link #child(String)}, for a request to another system. */
    public static TraceSpan call(String name) {
        return child(name, SpanKind.CLIENT);
    }

    private static TraceSpan child(String name, SpanKind kind) {
        Tracer tracer = tracer();
        return tracer.isEnabled()
                ? begin(tracer.spanBuilder(safe(name)).setSpanKind(kind), Context.current(), null)
                : NONE;
    }

    /**
     * A span of work that was stored, whatever the thread did before.
     *
     * @param parent the trace context that was stored with the work; null begins a trace
     */
    public static TraceSpan continuing(@Nullable TraceContext parent, String name) {
        Tracer tracer = tracer();
        if (!tracer.isEnabled()) {
            return passing(parent);
        }
        Context root = parent == null ? Context.root() : contextOf(parent);
        return begin(tracer.spanBuilder(name).setSpanKind(SpanKind.CONSUMER), root, parent);
    }

    /** A span that begins a trace, with links to {@code causes}: work on what several requests have left. */
    public static TraceSpan linkedTo(Collection<TraceContext> causes, String name) {
        Tracer tracer = tracer();
        if (!tracer.isEnabled()) {
            return NONE;
        }
        SpanBuilder builder = tracer.spanBuilder(name).setSpanKind(SpanKind.CONSUMER);
        causes.forEach(cause -> builder.addLink(TraceHeaders.spanContext(cause)));
        return begin(builder, Context.root(), null);
    }

    private static Tracer tracer() {
        return GlobalOpenTelemetry.get().getTracer(INSTRUMENTATION);
    }

    private static Context contextOf(TraceContext context) {
        return Context.root().with(Span.wrap(TraceHeaders.spanContext(context)));
    }

    @SuppressWarnings("MustBeClosedChecker") // closed with the span
    private static TraceSpan begin(SpanBuilder builder, Context parent, @Nullable TraceContext known) {
        Span span = builder.setParent(parent).startSpan();
        @Nullable TraceContext own = TraceHeaders.of(span.getSpanContext());
        return new TraceSpan(span, parent.with(span).makeCurrent(), own == null ? known : own);
    }

    @SuppressWarnings("MustBeClosedChecker") // closed with the span
    private static TraceSpan passing(@Nullable TraceContext context) {
        return context == null
                ? NONE
                : new TraceSpan(Span.getInvalid(), contextOf(context).makeCurrent(), context);
    }

    /** The trace context for what continues this span elsewhere; null if there is no trace. */
    public @Nullable TraceContext context() {
        return context;
    }

    /** Whether attributes are kept; so that none is made in vain. */
    public boolean isRecording() {
        return span.isRecording();
    }

    /**
     * Sets an attribute unless {@code value} is null. The text is cut after {@value #MAX_TEXT} characters; characters that no
     * name has become an underscore.
     */
    public TraceSpan set(String name, @Nullable String value) {
        if (value != null && span.isRecording()) {
            span.setAttribute(name, safe(value));
        }
        return this;
    }

    /** Sets an attribute unless {@code value} is null. */
    public TraceSpan set(String name, @Nullable Long value) {
        if (value != null) {
            span.setAttribute(name, value);
        }
        return this;
    }

    /** Sets the reason why a model stopped, unless it is null. */
    public TraceSpan setFinishReason(@Nullable String reason) {
        if (reason != null) {
            span.setAttribute(FINISH_REASONS, List.of(safe(reason)));
        }
        return this;
    }

    /** Marks the step as failed. */
    public TraceSpan fail(String errorType) {
        span.setStatus(StatusCode.ERROR);
        return set("error.type", errorType);
    }

    /** Marks the step of the calling thread's present span as failed. */
    public static void failCurrent(String errorType) {
        Span current = Span.current();
        current.setStatus(StatusCode.ERROR);
        current.setAttribute("error.type", errorType);
    }

    private static String safe(String text) {
        String beginning = text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) : text;
        return OTHER_CHARACTER.matcher(beginning).replaceAll("_");
    }

    @Override
    public void close() {
        if (scope != null) {
            scope.close();
        }
        span.end();
    }
}
