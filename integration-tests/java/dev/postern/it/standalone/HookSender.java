package dev.postern.it.standalone;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** A sender of requests to the hooks that never repeats a request by itself. */
final class HookSender {

    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(40);
    private static final Duration LONGEST_RUN = Duration.ofSeconds(30);
    private static final Set<String> UNFINISHED = Set.of("queued", "running");
    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(20))
            .build();

    private final URI hooks;
    private final String token;
    private final Duration patience;

    /** @param hooks the hooks' address, with a slash at the end */
    HookSender(URI hooks, String token) {
        this(hooks, token, LONGEST_ANSWER);
    }

    private HookSender(URI hooks, String token, Duration patience) {
        this.hooks = hooks;
        this.token = token;
        this.patience = patience;
    }

    /** The same, waiting for an answer no longer than {@code most}. */
    HookSender within(Duration most) {
        return new HookSender(hooks, token, most);
    }

    /** The same with another token; null for none. */
    HookSender withToken(String other) {
        return new HookSender(hooks, other, patience);
    }

    /** Posts {@code body}; {@code headers} are names and values in turn. */
    PosternResponse post(String hook, String body, String... headers) throws IOException, InterruptedException {
        return answer(CLIENT.send(request(hook, body, headers), BodyHandlers.ofString()));
    }

    /** As {@link #post}, without waiting for the answer. */
    CompletableFuture<PosternResponse> postLater(String hook, String body, String... headers) {
        CompletableFuture<HttpResponse<String>> answer =
                CLIENT.sendAsync(request(hook, body, headers), BodyHandlers.ofString());
        return answer.thenApply(this::answer);
    }

    /** The run called {@code id}, as it stands. */
    PosternResponse run(String id) throws IOException, InterruptedException {
        return get("runs/" + id);
    }

    /** Gets what is at {@code path}, against the hooks' address. */
    PosternResponse get(String path) throws IOException, InterruptedException {
        return get(path, List.of());
    }

    /** The same; {@code headers} are names and values in turn. */
    PosternResponse get(String path, List<String> headers) throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(hooks.resolve(path)).timeout(patience);
        authorize(request);
        if (!headers.isEmpty()) {
            request.headers(headers.toArray(String[]::new));
        }
        return answer(CLIENT.send(request.build(), BodyHandlers.ofString()));
    }

    /** Waits for the run called {@code id} to end; returns it. */
    PosternResponse ended(String id) {
        return await("the end of " + id)
                .atMost(LONGEST_RUN)
                .pollInterval(Duration.ofMillis(30))
                .until(() -> run(id), run -> run.status() == 200 && !UNFINISHED.contains(run.text("status")));
    }

    private PosternResponse answer(HttpResponse<String> response) {
        return new PosternResponse(response, hooks.getPath().replaceAll("^/|/$", ""));
    }

    private HttpRequest request(String hook, String body, String... headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(hooks.resolve(hook)).timeout(patience).POST(BodyPublishers.ofString(body));
        authorize(request);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return request.build();
    }

    private void authorize(HttpRequest.Builder request) {
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
    }
}
