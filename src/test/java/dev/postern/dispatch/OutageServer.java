package dev.postern.dispatch;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server of a chat model that answers 503 until it recovers. */
final class OutageServer implements AutoCloseable {

    private static final Pattern QUESTION = Pattern.compile("question [0-9]+");
    private static final String REPLY =
            """
            {"id": "1", "object": "chat.completion", "created": 1, "model": "model", "choices": [{"index": 0,
            "message": {"role": "assistant", "content": "Fine."}, "finish_reason": "stop"}]}""";

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;
    private final AtomicInteger requests = new AtomicInteger();
    private final List<String> answered = new CopyOnWriteArrayList<>();
    private volatile boolean down = true;
    private volatile Set<String> failing = Set.of();

    OutageServer() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1";
    }

    /** Answers from now on. */
    void recover() {
        down = false;
    }

    /** Answers from now on, but not to requests whose last question is one of {@code questions}. */
    void recoverBut(String... questions) {
        failing = Set.of(questions);
        recover();
    }

    /** The number of requests so far. */
    int requests() {
        return requests.get();
    }

    /** The last question of each request that got a reply, in order. */
    List<String> answered() {
        return List.copyOf(answered);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String asked = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            requests.incrementAndGet();
            String last = "";
            for (Matcher found = QUESTION.matcher(asked); found.find(); ) {
                last = found.group();
            }
            boolean fails = down || failing.contains(last);
            byte[] body = (fails ? "{}" : REPLY).getBytes(StandardCharsets.UTF_8);
            if (!fails) {
                answered.add(last);
            }
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(fails ? 503 : 200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdown();
    }
}
