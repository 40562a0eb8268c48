package dev.postern.agent.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/** A tool server that speaks streamable HTTP, and can be made to misbehave. */
final class HttpToolServer implements AutoCloseable {

    /** The manner in which the server responds. */
    enum ResponseMode {
        JSON,
        EVENTS,
        /** Ends each stream before the response, which the client has to ask for twice. */
        POLLED,
        /** As {@link #POLLED}, but breaks the first connection. */
        BROKEN,
        /** As {@link #POLLED}, but never gives the rest. */
        ENDED,
        UNAVAILABLE,
        BAD_REQUEST,
        REDIRECT,
        ENDLESS,
        EMPTY,
        /** Gives no response to notifications. */
        DEAF,
        /** Never responds. */
        MUTE
    }

    private static final Set<ResponseMode> ENDED_EARLY =
            EnumSet.of(ResponseMode.POLLED, ResponseMode.BROKEN, ResponseMode.ENDED);
    private static final String AGAIN = " again";

    private final HttpServer server;
    private final ExecutorService executor = Executors.newCachedThreadPool();
    private final SampleTools tools;
    private final Set<String> sessions = ConcurrentHashMap.newKeySet();
    private final Map<String, List<ObjectNode>> rests = new ConcurrentHashMap<>();
    private final List<Map<String, List<String>>> elsewhere = new CopyOnWriteArrayList<>();
    private final ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();
    volatile ResponseMode responseMode = ResponseMode.JSON;

    /** The status of a response to a request in a session that the server has forgotten. */
    volatile int forgottenStatus = 404;

    /** Gets the method of each message before the response. */
    volatile Consumer<String> before = method -> {};

    HttpToolServer(String... flags) throws IOException {
        tools = new SampleTools(Set.of(flags));
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(executor);
        server.createContext("/mcp", this::answer);
        server.createContext("/elsewhere", exchange -> {
            elsewhere.add(exchange.getRequestHeaders());
            close(exchange, 200);
        });
        server.start();
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/mcp?key=private");
    }

    /** The open sessions. */
    Set<String> sessions() {
        return sessions;
    }

    /** The requests so far: verb, credential, version of the protocol. */
    List<String> seen() {
        return List.copyOf(seen);
    }

    /** Requests that went to another address of this server. */
    int elsewhere() {
        return elsewhere.size();
    }

    private void answer(HttpExchange exchange) throws IOException {
        seen.add(exchange.getRequestMethod() + " "
                + exchange.getRequestHeaders().getFirst("Authorization") + " "
                + exchange.getRequestHeaders().getFirst("MCP-Protocol-Version"));
        String session = exchange.getRequestHeaders().getFirst("Mcp-Session-Id");
        if (exchange.getRequestMethod().equals("GET")) {
            rest(exchange);
            return;
        }
        if (exchange.getRequestMethod().equals("DELETE")) {
            sessions.remove(session);
            close(exchange, 200);
            return;
        }
        JsonNode message = SampleTools.JSON.readTree(exchange.getRequestBody());
        before.accept(message.path("method").asText());
        if (message.path("method").asText().equals("initialize")) {
            session = UUID.randomUUID().toString();
            sessions.add(session);
            exchange.getResponseHeaders().set("Mcp-Session-Id", session);
        } else if (session == null || !sessions.contains(session)) {
            close(exchange, forgottenStatus);
            return;
        }
        switch (responseMode) {
            case UNAVAILABLE -> close(exchange, 503);
            case BAD_REQUEST -> close(exchange, 400);
            case REDIRECT -> {
                exchange.getResponseHeaders()
                        .set("Location", url().resolve("/elsewhere").toString());
                close(exchange, 307);
            }
            case ENDLESS -> endless(exchange);
            case EMPTY -> close(exchange, 200);
            case MUTE -> {}
            default -> say(exchange, message);
        }
    }

    private void say(HttpExchange exchange, JsonNode message) throws IOException {
        List<ObjectNode> said = tools.said(message);
        if (!message.has("id")) {
            if (responseMode != ResponseMode.DEAF) {
                close(exchange, 202);
            }
        } else if (ENDED_EARLY.contains(responseMode)) {
            String id = UUID.randomUUID().toString();
            rests.put(id, said);
            OutputStream body = events(exchange);
            write(body, "retry: 0\nid: " + id + "\ndata:\n\n");
            if (responseMode == ResponseMode.BROKEN) {
                exchange.close();
            } else {
                body.close();
            }
        } else if (responseMode == ResponseMode.EVENTS) {
            OutputStream body = events(exchange);
            write(body, ": hello\r\nid: 1\r\ndata:\r\n\r\n");
            for (ObjectNode each : said) {
                write(body, "event: message\ndata: " + each + "\n\n");
            }
            if (!said.isEmpty()) {
                exchange.close();
            }
        } else if (!said.isEmpty()) {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            byte[] body = said.get(said.size() - 1).toString().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        }
    }

    /** Responds to a request for the rest of a stream; the first time without the response that is waited for. */
    private void rest(HttpExchange exchange) throws IOException {
        String id = exchange.getRequestHeaders().getFirst("Last-Event-ID");
        List<ObjectNode> rest = id == null || responseMode == ResponseMode.ENDED ? null : rests.remove(id);
        if (rest == null) {
            close(exchange, 405);
            return;
        }
        try (OutputStream body = events(exchange)) {
            if (id.endsWith(AGAIN)) {
                for (ObjectNode each : rest) {
                    write(body, "data: " + each + "\n\n");
                }
            } else {
                rests.put(id + AGAIN, rest);
                write(body, "id: " + id + AGAIN + "\ndata:\n\n");
            }
        }
    }

    private static OutputStream events(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        return exchange.getResponseBody();
    }

    private static void write(OutputStream body, String text) throws IOException {
        body.write(text.getBytes(StandardCharsets.UTF_8));
        body.flush();
    }

    private static void endless(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, 0);
        byte[] some = new byte[64 * 1024];
        try (OutputStream body = exchange.getResponseBody()) {
            // Ends when the other side closes the connection.
            for (int i = 0; i < 10_000; i++) {
                body.write(some);
            }
        }
    }

    private static void close(HttpExchange exchange, int status) throws IOException {
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        executor.shutdownNow();
    }
}
