package dev.postern.agent.chat;

import dev.langchain4j.http.client.HttpClient;
import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.http.client.HttpRequest;
import dev.langchain4j.http.client.SuccessfulHttpResponse;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import dev.langchain4j.http.client.sse.ServerSentEventParser;
import dev.postern.agent.BackendPrompt;
import dev.postern.agent.ErrorText;
import dev.postern.agent.ProviderBreaker;
import dev.postern.agent.ProviderBreaker.Denied;
import dev.postern.agent.ProviderBreaker.Granted;
import dev.postern.agent.ProviderBreaker.Permission;
import dev.postern.agent.TurnCancellation;
import dev.postern.agent.TurnJournal;
import dev.postern.agent.TurnJournal.ModelResponse;
import dev.postern.agent.TurnRecorder;
import dev.postern.agent.TurnResult;
import dev.postern.model.Secret;
import dev.postern.model.TraceContext;
import dev.postern.net.BoundedBodyHandler;
import dev.postern.net.HttpConnections;
import dev.postern.net.JsonValueLimit;
import dev.postern.net.OutboundExchange;
import dev.postern.net.TlsFailures;
import dev.postern.observe.TraceHeaders;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP client for LangChain4j that serves one turn. It sends a request, waits for the complete response, tries again if
 * that may help, and stops when the turn is cancelled. The turn sets times and timeouts; those of LangChain4j are ignored.
 * Anything but a 2xx response becomes a {@link ChatException}. Used by the turn's thread alone.
 */
final class ProviderHttpClient implements HttpClient, HttpClientBuilder {

    private static final Logger LOG = System.getLogger(ProviderHttpClient.class.getName());
    private static final int MAX_BYTES = 8 * 1024 * 1024;
    /** The most characters that are kept of a response; an error text is shorter. */
    private static final int MOST_KEPT = 64 * 1024;

    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private final HttpConnections connections;
    private final ProviderRetryRule providerRetryRule;
    private final ProviderBreaker providerBreaker;
    private final ProviderFailureMessages providerFailureMessages;
    private final TurnCancellation turnCancellation;
    private final String turnId;
    private final TurnRecorder recorder;
    private final TurnJournal journal;
    private final ErrorText errorText;
    private final ProviderAdapter providerAdapter;
    private int tools;
    private @Nullable String beginning;
    private boolean played;
    private long taken;

    ProviderHttpClient(
            HttpConnections connections,
            ProviderRetryRule providerRetryRule,
            ProviderBreaker providerBreaker,
            ProviderFailureMessages providerFailureMessages,
            TurnCancellation turnCancellation,
            BackendPrompt prompt,
            ProviderAdapter providerAdapter) {
        this.connections = connections;
        this.providerRetryRule = providerRetryRule;
        this.providerBreaker = providerBreaker;
        this.providerFailureMessages = providerFailureMessages;
        this.turnCancellation = turnCancellation;
        this.turnId = prompt.turnId();
        this.recorder = prompt.recorder();
        this.journal = prompt.journal();
        @Nullable Secret apiKey = providerFailureMessages.provider().apiKey();
        this.errorText = new ErrorText(apiKey == null ? List.of() : List.of(apiKey));
        this.providerAdapter = providerAdapter;
    }

    /** Prepares for a request with this number of {@code tools}. */
    void begin(int tools) {
        this.tools = tools;
        beginning = null;
    }

    /** Whether the last request got a 2xx response. */
    boolean isAnswered() {
        return beginning != null;
    }

    /** Records the beginning of the last 2xx response as the provider's error. */
    void recordResponse() {
        if (beginning != null) {
            recorder.recordErrorText(errorText.beginning(beginning));
        }
    }

    /** The number of characters in all 2xx responses. */
    long receivedCharacters() {
        return taken;
    }

    /** Whether the next response is one from before the turn was paused. */
    boolean isPlaying() {
        return journal.isPlaying();
    }

    /** Whether the last response is one from before the turn was paused. */
    boolean isPlayed() {
        return played;
    }

    @Override
    public SuccessfulHttpResponse execute(HttpRequest asked) {
        Optional<String> earlier = journal.playResponse();
        played = earlier.isPresent();
        String body = earlier.orElseGet(() -> ask(asked));
        beginning = body.substring(0, Math.min(body.length(), MOST_KEPT));
        recorder.recordErrorText("");
        taken += body.length();
        return SuccessfulHttpResponse.builder()
                .statusCode(200)
                .body(providerAdapter.adaptResponse(body))
                .build();
    }

    private String ask(HttpRequest asked) {
        String body = send(request(asked));
        journal.add(new ModelResponse(body));
        return body;
    }

    private java.net.http.HttpRequest request(HttpRequest asked) {
        java.net.http.HttpRequest.Builder request = java.net.http.HttpRequest.newBuilder();
        try {
            URI address = URI.create(asked.url());
            // Private servers without TLS can fail on the offer to change to HTTP/2.
            request.uri(address)
                    .version("https".equalsIgnoreCase(address.getScheme()) ? Version.HTTP_2 : Version.HTTP_1_1);
        } catch (IllegalArgumentException malformed) {
            throw new ChatException(providerFailureMessages.badAddress());
        }
        try {
            asked.headers().entrySet().stream()
                    .filter(header -> providerFailureMessages.provider().apiKey() != null
                            || !header.getKey().equalsIgnoreCase("x-api-key"))
                    .forEach(header -> header.getValue().forEach(value -> request.header(header.getKey(), value)));
        } catch (IllegalArgumentException unfit) {
            throw new ChatException(providerFailureMessages.badKey());
        }
        @Nullable String trace = providerAdapter.passesTraceOn() ? TraceHeaders.outgoing() : null;
        if (trace != null) {
            request.setHeader(TraceContext.TRACEPARENT, trace);
        }
        return request.POST(BodyPublishers.ofString(providerAdapter.adaptRequest(asked.body())))
                .build();
    }

    private String send(java.net.http.HttpRequest request) {
        for (int tries = 1; true; tries++) {
            String fault;
            Optional<Duration> asked = Optional.empty();
            Granted granted = granted();
            try {
                HttpResponse<Optional<String>> answer = exchange(request, tries, granted);
                String body = body(answer, granted);
                int status = status(answer.statusCode(), body);
                if (isGood(status)) {
                    providerBreaker.succeeded(granted);
                    return body;
                }
                recorder.recordErrorText(errorText.beginning(body));
                ProviderErrorKind providerErrorKind = ProviderErrorKind.of(status, body);
                if (providerErrorKind != ProviderErrorKind.OTHER || !ProviderRetryRule.mayHelp(status)) {
                    providerBreaker.succeeded(granted);
                    throw new ChatException(
                            providerFailureMessages.refused(status, providerErrorKind, tools),
                            providerErrorKind.allowsOtherVariant());
                }
                asked = providerRetryRule.requestedPause(answer.headers());
                fault = asked.filter(this::isTooLong)
                        .map(pause -> providerFailureMessages.notInTime(status, pause))
                        .orElse(providerFailureMessages.status(status, tries));
            } catch (IOException e) {
                fault = providerFailureMessages.lost(e, tries);
                if (TlsFailures.isPermanent(e)) {
                    providerBreaker.abandoned(granted);
                    throw new ChatException(providerFailureMessages.failed(fault));
                }
            }
            providerBreaker.failed(granted, fault, asked.orElse(Duration.ZERO));
            Duration pause = asked.orElse(providerRetryRule.pauseAfter(tries));
            if (tries == ProviderRetryRule.MOST_TRIES
                    || isTooLong(pause)
                    || providerBreaker.outage().isPresent()) {
                throw new ChatException(providerFailureMessages.down(fault, asked.orElse(Duration.ZERO)));
            }
            boolean unused = await(new CompletableFuture<>(), pause);
        }
    }

    private Granted granted() {
        Permission permission = providerBreaker.request(turnId);
        if (permission instanceof Denied denied) {
            throw new ChatException(providerFailureMessages.down(denied.reason(), denied.pause()));
        }
        return (Granted) permission;
    }

    private static String text(byte[] body) {
        String text = new String(body, StandardCharsets.UTF_8);
        return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    }

    private int status(int sent, String body) {
        return isGood(sent) ? providerAdapter.errorStatus(body).orElse(sent) : sent;
    }

    private static boolean isGood(int status) {
        return status / 100 == 2;
    }

    /** The body of {@code answer}. The turn ends if that of a good response is too large. */
    private String body(HttpResponse<Optional<String>> answer, Granted granted) {
        String body = answer.body().orElse("");
        if (isGood(answer.statusCode()) && (answer.body().isEmpty() || JsonValueLimit.isExceeded(body))) {
            providerBreaker.succeeded(granted);
            throw new ChatException(
                    answer.body().isEmpty()
                            ? providerFailureMessages.tooLong(MAX_BYTES)
                            : providerFailureMessages.tooManyValues(JsonValueLimit.MAX_VALUES));
        }
        return body;
    }

    private boolean isTooLong(Duration pause) {
        return pause.compareTo(turnCancellation.remaining()) >= 0;
    }

    /** Sends {@code request} once. */
    private HttpResponse<Optional<String>> exchange(java.net.http.HttpRequest request, int tries, Granted granted)
            throws IOException {
        if (turnCancellation.isRequested()) {
            providerBreaker.abandoned(granted);
            throw new ChatException(turnCancellation.outcome().join());
        }
        AtomicBoolean responding = new AtomicBoolean();
        long start = System.nanoTime();
        OutboundExchange<Optional<String>> exchange = connections.send(request, head -> {
            responding.set(true);
            return BodySubscribers.mapping(
                    BoundedBodyHandler.of(MAX_BYTES).apply(head), body -> body.map(ProviderHttpClient::text));
        });
        String end = "cut off";
        try {
            while (!await(exchange.response(), turnCancellation.remaining())) {}
            HttpResponse<Optional<String>> answer = exchange.response().join();
            end = String.valueOf(answer.statusCode());
            return answer;
        } catch (ChatException cutOff) {
            if (cutOff.outcome() instanceof TurnResult.TimedOut) {
                exchange.giveUp();
            }
            throw isSilence(cutOff, responding.get(), granted) ? silence(start, granted) : abandoned(cutOff, granted);
        } catch (CompletionException e) {
            IOException fault = e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
            end = fault.getClass().getSimpleName();
            throw fault;
        } catch (RuntimeException e) {
            providerBreaker.abandoned(granted);
            throw e;
        } finally {
            exchange.end();
            LOG.log(
                    Level.DEBUG,
                    "Turn {0}: provider {1}, try {2}: {3} after {4} ms",
                    turnId,
                    providerFailureMessages.provider().id(),
                    String.valueOf(tries),
                    end,
                    String.valueOf(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)));
        }
    }

    /**
     * Whether the turn's time was used up by a provider that sent nothing: not the head of a response to this turn, and no
     * response to any other turn since the request. A model that is too slow for its turn has let others through.
     */
    private boolean isSilence(ChatException cutOff, boolean responding, Granted granted) {
        return cutOff.outcome() instanceof TurnResult.TimedOut
                && !responding
                && taken == 0
                && !providerBreaker.respondedSince(granted);
    }

    private ChatException silence(long start, Granted granted) {
        String fault = providerFailureMessages.silent(Duration.ofNanos(System.nanoTime() - start));
        providerBreaker.failed(granted, fault, Duration.ZERO);
        return new ChatException(providerFailureMessages.down(fault, Duration.ZERO));
    }

    private ChatException abandoned(ChatException cutOff, Granted granted) {
        providerBreaker.abandoned(granted);
        return cutOff;
    }

    /**
     * Waits until {@code something} is done or {@code most} has passed; returns whether it is done.
     *
     * @throws ChatException if the turn has to end
     */
    private boolean await(CompletableFuture<?> something, Duration most) {
        CountDownLatch over = new CountDownLatch(1);
        var unused = CompletableFuture.anyOf(something, turnCancellation.outcome())
                .whenComplete((value, fault) -> over.countDown());
        try {
            boolean done = over.await(most.toNanos(), TimeUnit.NANOSECONDS);
            if (turnCancellation.isRequested()) {
                throw new ChatException(turnCancellation.outcome().join());
            }
            return done;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ChatException(new TurnResult.Interrupted("the end of its thread"));
        }
    }

    @Override
    public void execute(HttpRequest request, ServerSentEventParser parser, ServerSentEventListener listener) {
        throw new UnsupportedOperationException("replies are taken whole");
    }

    @Override
    public Duration connectTimeout() {
        return HttpConnections.CONNECT_TIMEOUT;
    }

    @Override
    public HttpClientBuilder connectTimeout(Duration timeout) {
        return this;
    }

    @Override
    public Duration readTimeout() {
        return turnCancellation.remaining();
    }

    @Override
    public HttpClientBuilder readTimeout(Duration timeout) {
        return this;
    }

    @Override
    public HttpClient build() {
        return this;
    }
}
