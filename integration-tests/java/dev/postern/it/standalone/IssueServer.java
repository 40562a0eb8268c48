package dev.postern.it.standalone;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A server that keeps comments on issues and lists them, as GitHub does. It answers some time after it has kept a comment,
 * and each 25th time not at all.
 */
final class IssueServer implements AutoCloseable {

    private static final int LOST_EACH = 25;
    private static final long ANSWER_MILLIS = 60;
    private static final Pattern BODY = Pattern.compile("\\{\"body\":\"((?:[^\"\\\\]|\\\\.)*)\"}");
    private static final Pattern PAGE = Pattern.compile("per_page=([0-9]+)&page=([0-9]+)");

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final HttpServer server;
    private final Map<String, List<String>> byIssue = new HashMap<>();
    private final List<String> comments = new ArrayList<>();
    private int lost;
    private int searches;

    IssueServer() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/repos", this::answer);
        server.start();
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** All comments, in the order in which they came and as JSON spells them. */
    synchronized List<String> comments() {
        return List.copyOf(comments);
    }

    /** Number of comments that were kept without an answer. */
    synchronized int lost() {
        return lost;
    }

    /** Number of pages of comments that were listed. */
    synchronized int searches() {
        return searches;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String issue = exchange.getRequestURI().getPath();
            byte[] body = exchange.getRequestBody().readAllBytes();
            if (exchange.getRequestMethod().equals("GET")) {
                respond(exchange, 200, list(issue, exchange.getRequestURI().getQuery()));
                return;
            }
            int id = keep(issue, text(new String(body, StandardCharsets.UTF_8)));
            if (id % LOST_EACH != 0 && !closing.await(ANSWER_MILLIS, TimeUnit.MILLISECONDS)) {
                respond(exchange, 201, "{\"id\":" + id + "}");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The text of a comment, as JSON spells it. */
    private static String text(String json) {
        Matcher body = BODY.matcher(json);
        if (!body.matches()) {
            throw new IllegalArgumentException("no comment: " + json);
        }
        return body.group(1);
    }

    private synchronized int keep(String issue, String comment) {
        comments.add(comment);
        byIssue.computeIfAbsent(issue, unseen -> new ArrayList<>()).add(comment);
        lost += comments.size() % LOST_EACH == 0 ? 1 : 0;
        return comments.size();
    }

    private synchronized String list(String issue, String query) {
        searches++;
        Matcher page = PAGE.matcher(query);
        if (!page.find()) {
            throw new IllegalArgumentException("no page in [" + query + "]");
        }
        int size = Integer.parseInt(page.group(1));
        return byIssue.getOrDefault(issue, List.of()).stream()
                .skip((Long.parseLong(page.group(2)) - 1) * size)
                .limit(size)
                .map(comment -> "{\"id\":1,\"body\":\"" + comment + "\"}")
                .collect(Collectors.joining(",", "[", "]"));
    }

    private static void respond(HttpExchange exchange, int status, String json) throws IOException {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json; charset=utf-8");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        closing.countDown();
        server.stop(0);
        threads.shutdown();
    }
}
