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
import dev.postern.agent.chat.ProviderFailureMessages.Fault;
import dev.postern.model.Secret;
import dev.postern.model.TraceContext;
import dev.postern.net.HttpConnections;
import dev.postern.net.JsonValueLimit;
import dev.postern.net.TlsFailures;
import dev.postern.observe.TraceHeaders;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP client for LangChain4j that serves one turn. It sends a request, waits for the complete response, tries again if
 * that may help, and stops when the turn is cancelled. The turn sets times and timeouts; those of LangChain4j are ignored.
 * Anything but a 2xx response becomes a {@link ChatException}. Used by the turn's thread alone.
 */
final class ProviderHttpClient implements HttpClient, HttpClientBuilder {

    /** The most characters that are kept of a response; an error text is shorter. */
    private static final int MOST_KEPT = 64 * 1024;

    private final ProviderExchange providerExchange;
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
        this.providerExchange = new ProviderExchange(
                connections, providerBreaker, providerFailureMessages, turnCancellation, prompt.turnId());
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
            Attempt attempt = attempt(request, tries);
            @Nullable String body = attempt.body();
            if (body != null) {
                return body;
            }
            providerExchange.pause(attempt.pause());
        }
    }

    /**
     * The result of one attempt.
     *
     * @param body the body of a good response; null if there was none, and another attempt may help
     * @param pause the pause before the next attempt
     */
    private record Attempt(@Nullable String body, Duration pause) {}

    /**
     * Sends {@code request} once. However that ends, its permission has ended too.
     *
     * @param tries the number of this attempt, from 1
     * @throws ChatException if no other attempt helps
     */
    private Attempt attempt(java.net.http.HttpRequest request, int tries) {
        Granted granted = granted();
        try {
            HttpResponse<Optional<String>> answer = providerExchange.send(request, tries, granted, taken == 0);
            String body = body(answer, granted);
            int status = status(answer.statusCode(), body);
            if (isGood(status)) {
                providerBreaker.succeeded(granted);
                return new Attempt(body, Duration.ZERO);
            }
            recorder.recordErrorText(errorText.beginning(body));
            ProviderErrorKind providerErrorKind = ProviderErrorKind.of(status, body);
            if (providerErrorKind != ProviderErrorKind.OTHER || !ProviderRetryRule.mayHelp(status)) {
                providerBreaker.succeeded(granted);
                throw new ChatException(
                        providerFailureMessages.refused(status, providerErrorKind, tools),
                        providerErrorKind.allowsOtherVariant());
            }
            Optional<Duration> asked = providerRetryRule.requestedPause(answer.headers());
            Fault fault = providerFailureMessages.status(status);
            String sentence = asked.filter(this::isTooLong)
                    .map(pause -> providerFailureMessages.notInTime(status, pause))
                    .orElse(fault.after(tries));
            return failed(granted, tries, fault, sentence, asked);
        } catch (IOException e) {
            Fault fault = providerFailureMessages.lost(e);
            if (TlsFailures.isPermanent(e)) {
                throw new ChatException(providerFailureMessages.failed(fault.after(tries)));
            }
            return failed(granted, tries, fault, fault.after(tries), Optional.empty());
        } finally {
            providerBreaker.abandoned(granted); // unless its end is reported
        }
    }

    private Attempt failed(Granted granted, int tries, Fault fault, String sentence, Optional<Duration> asked) {
        providerBreaker.failed(granted, fault.forAll(), asked.orElse(Duration.ZERO));
        Duration pause = providerRetryRule.pause(tries, asked);
        if (tries == ProviderRetryRule.MOST_TRIES || isTooLong(pause) || providerBreaker.failsRepeatedly()) {
            throw new ChatException(providerFailureMessages.down(sentence, asked.orElse(Duration.ZERO)));
        }
        return new Attempt(null, pause);
    }

    private Granted granted() {
        Permission permission = providerBreaker.request(turnId);
        if (permission instanceof Denied denied) {
            throw new ChatException(providerFailureMessages.unasked(denied));
        }
        return (Granted) permission;
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
                            ? providerFailureMessages.tooLong(ProviderExchange.MAX_BYTES)
                            : providerFailureMessages.tooManyValues(JsonValueLimit.MAX_VALUES));
        }
        return body;
    }

    private boolean isTooLong(Duration pause) {
        return pause.compareTo(turnCancellation.remaining()) >= 0;
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
