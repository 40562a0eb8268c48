package dev.postern.observe;

import dev.postern.model.TraceContext;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.apache.tomcat.util.http.MimeHeaders;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * A benchmark of what traces add to a wake when no agent is there: the sender's context is looked for among Tomcat's headers,
 * the request has three spans, and the stored row gets the context's text.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(3)
@Threads(2)
public class TraceBench {

    /** Whether the sender names a trace. */
    @Param({"false", "true"})
    public boolean isTraced;

    private MimeHeaders headers;

    /** Makes the headers of a request. */
    @Setup
    public void start() {
        headers = new MimeHeaders();
        add("host", "localhost:8080");
        add("authorization", "Bearer 0123456789abcdefghijklmnopqrstuvwxyz");
        add("content-type", "application/json");
        add("content-length", "199");
        if (isTraced) {
            add(TraceContext.TRACEPARENT, "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
        }
    }

    private void add(String name, String value) {
        byte[] bytes = value.getBytes(StandardCharsets.ISO_8859_1);
        headers.addValue(name).setBytes(bytes, 0, bytes.length);
    }

    /** One request. */
    @Benchmark
    public @Nullable String request(Blackhole blackhole) {
        try (TraceSpan request = TraceSpan.ofRequest(TraceHeaders.read(headers::values))) {
            try (TraceSpan mapping = TraceSpan.child("mapping")) {
                blackhole.consume(mapping.set("postern.mapping", "wake"));
            }
            try (TraceSpan commit = TraceSpan.child("commit")) {
                blackhole.consume(commit.isRecording());
            }
            blackhole.consume(request.isRecording());
            return TraceContext.textOf(request.context());
        }
    }
}
