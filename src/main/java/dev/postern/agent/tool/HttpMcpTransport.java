package dev.postern.agent.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.config.Settings;
import dev.postern.model.TraceContext;
import dev.postern.net.ContextClassLoader;
import dev.postern.observe.TraceHeaders;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A transport to a server at a URL by streamable HTTP: one POST for each message, with JSON or a stream of events as its
 * response (Model Context Protocol 2025-11-25, "Transports"). The configured headers go to that URL only: redirects are not
 * followed. No stream is opened for messages that the server would send unasked.
 */
final class HttpMcpTransport extends BoundedMcpTransport {

    private static final int THREADS = 2;
    private static final int MOST_UNANSWERED = 256;
    private static final Duration LONGEST_CONNECT = Duration.ofSeconds(10);
    private static final Duration LONGEST_FAREWELL = Duration.ofSeconds(1);
    private static final String SESSION = "Mcp-Session-Id";
    private static final String EVENT_STREAM = "text/event-stream";

    private final Settings.McpServer server;
    private final URI url;
    private final ScheduledThreadPoolExecutor executor;
    private final AtomicLong sent = new AtomicLong();
    private final Map<Long, CompletableFuture<?>> inFlight = new ConcurrentHashMap<>();
    private volatile @Nullable HttpClient client;
    private volatile @Nullable String session;
    private volatile @Nullable String version;

    HttpMcpTransport(Settings.McpServer server, URI url, ToolThreadFactory threads) {
        this.server = server;
        this.url = url;
        this.executor = new ScheduledThreadPoolExecutor(THREADS, work -> threads.make("http", work));
        executor.setKeepAliveTime(10, TimeUnit.SECONDS);
        executor.allowCoreThreadTimeOut(true);
        executor.setRemoveOnCancelPolicy(true);
    }

    /** The client's own thread lives until the client is collected; until then it must not hold the web application. */
    @Override
    void open() {
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(server.timeout().compareTo(LONGEST_CONNECT) < 0 ? server.timeout() : LONGEST_CONNECT)
                .executor(executor);
        client = ContextClassLoader.call(ClassLoader.getPlatformClassLoader(), builder::build);
    }

    @Override
    void agreed(String agreed) {
        version = agreed;
    }

    @Override
    CompletableFuture<Boolean> send(ObjectNode message, @Nullable CompletableFuture<JsonNode> answer) {
        HttpClient open = client;
        if (open == null) {
            return given(answer, ToolServerException.closed());
        }
        if (inFlight.size() >= MOST_UNANSWERED) {
            ToolServerException silent =
                    new ToolServerException(ToolServerException.Scope.CONNECTION, "leaves too much without an answer");
            markUnusable(silent);
            return given(answer, silent);
        }
        StreamPosition position = new StreamPosition();
        return exchange(open, request(message), position, answer)
                .handle((response, failure) -> {
                    if (answer != null && !answer.isDone() && isInterrupted(response, failure, position)) {
                        resume(position, answer);
                        return null;
                    }
                    ToolServerException why = response == null ? unsent(failure) : judged(response, message);
                    return why == null && answer != null && !answer.isDone() ? noAnswer() : why;
                })
                .thenCompose(why -> why == null ? CompletableFuture.completedFuture(true) : given(answer, why));
    }

    private CompletableFuture<HttpResponse<Boolean>> exchange(
            HttpClient open,
            HttpRequest request,
            StreamPosition position,
            @Nullable CompletableFuture<JsonNode> answer) {
        CompletableFuture<HttpResponse<Boolean>> exchange;
        try {
            exchange = open.sendAsync(request, info -> body(info, position, answer));
        } catch (RuntimeException e) {
            // Thrown by a ProxySelector, say; its message may hold the address.
            return CompletableFuture.failedFuture(e);
        }
        long number = sent.incrementAndGet();
        inFlight.put(number, exchange);
        if (answer != null) {
            var unused = answer.whenComplete((received, why) -> {
                if (why != null) {
                    exchange.cancel(true);
                }
            });
        }
        return exchange.whenComplete((response, failure) -> inFlight.remove(number));
    }

    /** Whether a stream has ended, or its connection has, at a position where the server lets it be resumed. */
    private static boolean isInterrupted(
            @Nullable HttpResponse<Boolean> response, @Nullable Throwable failure, StreamPosition position) {
        return position.eventId() != null
                && (response != null || (failure != null && cause(failure) instanceof IOException));
    }

    /**
     * Asks for the rest of a stream that ended before the response to a request. A server may end it at any time after an event
     * with an id, and have the client ask again ("Resumability and Redelivery"). The caller's deadline ends the asking.
     */
    private void resume(StreamPosition position, CompletableFuture<JsonNode> answer) {
        try {
            Future<?> next = executor.schedule(
                    () -> askForRest(position, answer), position.delay().toMillis(), TimeUnit.MILLISECONDS);
            var unused = answer.whenComplete((received, why) -> next.cancel(false));
        } catch (RejectedExecutionException closed) {
            answer.completeExceptionally(ToolServerException.closed());
        }
    }

    private void askForRest(StreamPosition position, CompletableFuture<JsonNode> answer) {
        HttpClient open = client;
        String eventId = position.eventId();
        if (open == null || eventId == null || answer.isDone()) {
            answer.completeExceptionally(ToolServerException.closed());
            return;
        }
        HttpRequest request = headed().setHeader("Accept", EVENT_STREAM)
                .setHeader("Last-Event-ID", eventId)
                .GET()
                .build();
        var unused = exchange(open, request, position, answer).whenComplete((response, failure) -> {
            boolean isStream = response != null && isFine(response.statusCode()) && isEventStream(response.headers());
            if (isStream && position.eventId() != null) {
                resume(position, answer);
            } else {
                answer.completeExceptionally(failure == null ? noAnswer() : unsent(failure));
            }
        });
    }

    private static ToolServerException noAnswer() {
        return new ToolServerException(ToolServerException.Scope.ANSWER, "gave no answer");
    }

    private static CompletableFuture<Boolean> given(
            @Nullable CompletableFuture<JsonNode> answer, ToolServerException why) {
        if (answer != null) {
            answer.completeExceptionally(why);
        }
        return CompletableFuture.failedFuture(why);
    }

    private HttpRequest request(ObjectNode message) {
        return headed().setHeader("Content-Type", "application/json")
                .setHeader("Accept", "application/json, " + EVENT_STREAM)
                .POST(HttpRequest.BodyPublishers.ofString(message.toString()))
                .build();
    }

    private HttpRequest.Builder headed() {
        HttpRequest.Builder request = HttpRequest.newBuilder(url);
        server.headers().forEach((name, value) -> request.setHeader(name, value.reveal()));
        String inSession = session;
        if (inSession != null) {
            request.setHeader(SESSION, inSession);
        }
        @Nullable String trace = TraceHeaders.outgoing();
        if (trace != null) {
            request.setHeader(TraceContext.TRACEPARENT, trace);
        }
        String spoken = version;
        if (spoken != null) {
            request.setHeader("MCP-Protocol-Version", spoken);
        }
        return request;
    }

    private HttpResponse.BodySubscriber<Boolean> body(
            HttpResponse.ResponseInfo info, StreamPosition position, @Nullable CompletableFuture<JsonNode> answer) {
        if (answer == null || !isFine(info.statusCode())) {
            return StreamedHttpBody.ignored();
        }
        info.headers().firstValue(SESSION).ifPresent(id -> session = id);
        return isEventStream(info.headers())
                ? StreamedHttpBody.events(position, this::receive)
                : StreamedHttpBody.whole(this::receive);
    }

    private static boolean isEventStream(HttpHeaders headers) {
        String type = headers.firstValue("Content-Type").orElse("");
        return type.toLowerCase(Locale.ROOT).startsWith(EVENT_STREAM);
    }

    private static boolean isFine(int status) {
        return status >= 200 && status < 300;
    }

    /**
     * The error that {@code response} reports about {@code message}; null if the server accepted it. Some servers answer 400
     * in a session that they have forgotten, as the examples of the protocol's TypeScript SDK do. A listing can't be at fault
     * itself, but another message may be.
     */
    private @Nullable ToolServerException judged(HttpResponse<Boolean> response, ObjectNode message) {
        int status = response.statusCode();
        if (isFine(status)) {
            return null;
        }
        if ((status == 404 || status == 410) && session != null) {
            ToolServerException forgotten =
                    new ToolServerException(ToolServerException.Scope.SESSION, "has forgotten the session");
            markUnusable(forgotten);
            return forgotten;
        }
        ToolServerException refused =
                new ToolServerException(ToolServerException.Scope.ANSWER, "answered with status " + status);
        if (status == 400 && session != null) {
            markStale();
            if (message.path("method").asText().equals("tools/list")) {
                markUnusable(refused);
            }
        }
        return refused;
    }

    private ToolServerException unsent(Throwable failure) {
        Throwable why = cause(failure);
        if (why instanceof ToolServerException toolServerException) {
            return toolServerException;
        }
        String kind = why.getClass().getSimpleName();
        ToolServerException unreachable =
                new ToolServerException(ToolServerException.Scope.CONNECTION, "cannot be reached (" + kind + ")");
        if (why instanceof IOException) {
            markUnusable(unreachable);
        }
        return unreachable;
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException wrapped && wrapped.getCause() != null
                ? wrapped.getCause()
                : failure;
    }

    @Override
    void end() {
        HttpClient open = client;
        if (open != null && session != null) {
            deleteSession(open);
        }
        client = null;
        // A client with a request in flight keeps its thread forever.
        inFlight.values().forEach(exchange -> exchange.cancel(true));
        executor.shutdownNow();
        try {
            executor.awaitTermination(LONGEST_FAREWELL.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Tells the server that its session has ended; the outcome does not matter. */
    private void deleteSession(HttpClient open) {
        CompletableFuture<HttpResponse<Boolean>> exchange =
                open.sendAsync(headed().DELETE().build(), info -> StreamedHttpBody.ignored());
        try {
            exchange.get(LONGEST_FAREWELL.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException unheard) {
            exchange.cancel(true);
        } catch (InterruptedException e) {
            exchange.cancel(true);
            Thread.currentThread().interrupt();
        }
    }
}
