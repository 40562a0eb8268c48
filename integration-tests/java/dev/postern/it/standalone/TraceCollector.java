package dev.postern.it.standalone;

import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A stand-in for a collector of traces: it keeps every span that an agent sends by OTLP. */
final class TraceCollector implements BeforeEachCallback, AfterEachCallback {

    private static final String AGENT =
            System.getProperty("it.javaagent", "target/javaagent/opentelemetry-javaagent.jar");

    private final List<ReceivedSpan> spans = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer server;

    /**
     * A span as it was received.
     *
     * @param service the name of the process that sent it
     * @param scope the name of the instrumentation that made it
     * @param parent empty for the first span of a trace
     * @param links the ids of traces
     */
    record ReceivedSpan(
            String service,
            String scope,
            String trace,
            String id,
            String parent,
            String name,
            Map<String, String> attributes,
            List<String> links) {

        boolean isPosterns() {
            return scope.equals("dev.postern");
        }
    }

    /** Has the processes of {@code home} send their spans here. */
    HomeFixture watch(HomeFixture home, String service) {
        return home.environment(
                        "JDK_JAVA_OPTIONS", "\"-javaagent:" + Path.of(AGENT).toAbsolutePath() + "\"")
                .environment("OTEL_SERVICE_NAME", service)
                .environment("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf")
                .environment(
                        "OTEL_EXPORTER_OTLP_ENDPOINT",
                        "http://127.0.0.1:" + server.getAddress().getPort())
                .environment("OTEL_METRICS_EXPORTER", "none")
                .environment("OTEL_LOGS_EXPORTER", "none")
                .environment("OTEL_BSP_SCHEDULE_DELAY", "200")
                // More than a few requests make; the statements of the database are spans, too.
                .environment("OTEL_BSP_MAX_QUEUE_SIZE", "100000");
    }

    /** All spans so far. */
    List<ReceivedSpan> spans() {
        return List.copyOf(spans);
    }

    /** All spans of a trace so far. */
    List<ReceivedSpan> trace(String id) {
        return spans.stream().filter(span -> span.trace().equals(id)).toList();
    }

    @Override
    public void beforeEach(ExtensionContext context) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/v1/traces", exchange -> {
            ExportTraceServiceRequest.parseFrom(exchange.getRequestBody().readAllBytes())
                    .getResourceSpansList()
                    .forEach(this::add);
            exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        server.stop(0);
        threads.shutdownNow();
    }

    private void add(ResourceSpans sent) {
        String service = text(sent.getResource().getAttributesList()).getOrDefault("service.name", "");
        for (ScopeSpans scope : sent.getScopeSpansList()) {
            for (Span span : scope.getSpansList()) {
                spans.add(new ReceivedSpan(
                        service,
                        scope.getScope().getName(),
                        hex(span.getTraceId().toByteArray()),
                        hex(span.getSpanId().toByteArray()),
                        hex(span.getParentSpanId().toByteArray()),
                        span.getName(),
                        text(span.getAttributesList()),
                        span.getLinksList().stream()
                                .map(link -> hex(link.getTraceId().toByteArray()))
                                .toList()));
            }
        }
    }

    private static Map<String, String> text(List<KeyValue> attributes) {
        return attributes.stream()
                .collect(Collectors.toMap(
                        KeyValue::getKey,
                        each -> each.getValue().hasStringValue()
                                ? each.getValue().getStringValue()
                                : each.getValue().hasIntValue()
                                        ? Long.toString(each.getValue().getIntValue())
                                        : each.getValue().toString(),
                        (one, other) -> one));
    }

    private static String hex(byte[] id) {
        return HexFormat.of().formatHex(id);
    }
}
