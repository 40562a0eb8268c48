package dev.postern.it.standalone;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A board of one issue that keeps comments, and tells all subscribers of each one with a signed event. */
final class CommentBoard implements AutoCloseable {

    static final String SECRET = "secret-of-the-board";

    private final CommentService service;
    private final HttpServer server;
    private final ExecutorService requests = Executors.newCachedThreadPool();
    private final ExecutorService events = Executors.newSingleThreadExecutor();
    private final Map<String, String> accounts;
    private final List<HookSender> subscribers = new CopyOnWriteArrayList<>();
    private final Map<String, Integer> comments = new LinkedHashMap<>();
    private final List<Boolean> responses = new CopyOnWriteArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    /** @param accounts the account by what its requests have in the header Authorization */
    CommentBoard(CommentService service, Map<String, String> accounts) {
        this.service = service;
        this.accounts = Map.copyOf(accounts);
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(requests);
        server.createContext("/", this::answer);
        server.start();
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Sends events to {@code postern} from now on, without a token. */
    void subscribe(PosternProcess postern) {
        subscribers.add(postern.sender().withToken(null));
    }

    /** Keeps a comment of a person. */
    void comment(String account, String text) {
        keep(account, new CommentService.Posted(UUID.randomUUID().toString(), text, ""));
    }

    /** The number of comments of each account. */
    synchronized Map<String, Integer> comments() {
        return Map.copyOf(comments);
    }

    /** Whether each response to an event names a run; the others say that there is nothing to do. */
    List<Boolean> responses() {
        if (!failures.isEmpty()) {
            throw new AssertionError("the board failed", failures.get(0));
        }
        return List.copyOf(responses);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String json = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String account = accounts.get(authorization(exchange));
            CommentService.Posted posted = service.read(exchange.getRequestURI().getPath(), json);
            if (account == null
                    || !json.concat(exchange.getRequestURI().getPath()).contains(number())) {
                throw new IllegalStateException("no comment on the issue: " + exchange.getRequestURI() + " " + json);
            }
            keep(account, posted);
            byte[] bytes = posted.response().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
        } catch (RuntimeException failed) {
            failures.add(failed);
            throw failed;
        }
    }

    /** The part of the place that each request names. */
    private String number() {
        return service.place().substring(service.place().lastIndexOf('#') + 1);
    }

    private static String authorization(HttpExchange exchange) {
        String header = exchange.getRequestHeaders().getFirst("Authorization");
        return header.startsWith("Basic ")
                ? new String(Base64.getDecoder().decode(header.substring(6)), StandardCharsets.UTF_8)
                : header;
    }

    private synchronized void keep(String account, CommentService.Posted comment) {
        comments.merge(account, 1, Integer::sum);
        for (HookSender subscriber : new ArrayList<>(subscribers)) {
            events.execute(() -> tell(subscriber, service.event(account, comment)));
        }
    }

    private void tell(HookSender subscriber, String event) {
        try {
            PosternResponse response = subscriber.post(service.preset(), event, service.headerLine(hmac(event)));
            if (response.status() >= 300) {
                throw new IllegalStateException("an event was answered " + response.status());
            }
            responses.add(response.body().contains("\"runId\""));
        } catch (IOException | GeneralSecurityException | RuntimeException failed) {
            failures.add(failed);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String hmac(String body) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        return HexFormat.of().formatHex(mac.doFinal(body.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public void close() {
        server.stop(0);
        events.shutdownNow();
        requests.shutdownNow();
    }
}
