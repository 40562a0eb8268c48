package dev.postern.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.postern.access.BodyLimit;
import dev.postern.model.ErrorCode;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The ends of a body that is waited for, with a clock and a server that do nothing by themselves. */
class SlowBodyReaderTest {

    private static final int PIECE = 8_192;
    private static final BodyLimit LIMIT = new BodyLimit(1_000, "", Duration.ofSeconds(30), "a.setting", true);

    private final List<String> said = new ArrayList<>();
    private final Map<String, Object> attributes = new HashMap<>();
    private final List<Runnable> clock = new ArrayList<>();
    private final ControlledInputStream in = new ControlledInputStream();
    private final BodyProcessingQueue queue = new BodyProcessingQueue(PIECE);
    private final BodyBudget budget = new BodyBudget(PIECE);
    private final List<FixedErrorResponse> refused = new ArrayList<>();
    private final PendingDispatches pendingDispatches = new PendingDispatches();
    private final Map<String, Object> answers = new HashMap<>();
    private AsyncContext exchange;
    private HttpServletRequest request;
    private HttpServletResponse response;
    private AsyncListener exchangeListener;
    private int status;

    @BeforeEach
    void waitForTheRest() throws IOException {
        exchange = fake(AsyncContext.class, "exchange");
        request = fake(HttpServletRequest.class, "request");
        response = fake(HttpServletResponse.class, "response");
        answers.put("isCommitted", false);
        answers.put("startAsync", exchange);
        answers.put("getRequest", request);
        answers.put("getResponse", response);
        answers.put("getInputStream", in);
        answers.put("getServletContext", fake(ServletContext.class, "context"));
        answers.put("getServerInfo", "A server/1.0");

        newReader(false, bytes -> FixedErrorResponse.NOT_FOUND).begin(request);
        said.clear();
    }

    /** @param isLarge whether the body has to be processed in its turn, as one is that may be large when decompressed */
    private SlowBodyReader newReader(boolean isLarge, Function<byte[], AdmissionResult> judge) throws IOException {
        ArrivingBody body = new ArrivingBody(3, LIMIT, budget, isLarge);
        assertThat(body.waitFor()).isNull();
        return new SlowBodyReader(
                request,
                response,
                body,
                fake(ScheduledExecutorService.class, "clock"),
                judge,
                queue,
                pendingDispatches,
                refused::add);
    }

    @Test
    void leavesTheStatusToTheServerUntilTheBodyHasCome() throws IOException {
        in.arrive(1);
        in.listener().onDataAvailable();

        assertThat(status).isZero();
    }

    @Test
    void isUnavailableUntilItsDispatchIsAnswered() throws IOException {
        in.listener().onAllDataRead();

        assertThat(status).isEqualTo(503);
        assertThat(said).containsSubsequence("response.setStatus", "exchange.dispatch");
    }

    @Test
    void leavesTheAnswerForALateBodyToAThreadOfTheServers() throws IOException {
        in.arrive(1);
        in.listener().onDataAvailable();

        clock.get(0).run();

        assertThat(said)
                .containsSubsequence("exchange.start", "exchange.dispatch")
                .doesNotContain("response.getOutputStream");
        assertThat(verdict()).isEqualTo(ErrorCode.BODY_TIMEOUT);
        assertThat(refused).isEmpty();
        assertThat(budget.take(PIECE, true)).isTrue();
    }

    @Test
    void endsOnceAlone() throws Exception {
        in.listener().onAllDataRead();
        clock.get(0).run();
        in.listener().onError(new IOException("reset"));

        assertThat(said).containsOnlyOnce("exchange.dispatch").doesNotContain("exchange.complete");
        assertThat(resume()).isTrue();
        assertThat(status).isEqualTo(404);
    }

    @Test
    void isUnavailableOnceTheServerHasEndedTheFilter() throws IOException {
        pendingDispatches.close();

        in.listener().onAllDataRead();

        assertThat(refused).containsExactly(FixedErrorResponse.STOPPED);
        assertThat(status).isEqualTo(503);
        assertThat(said).contains("exchange.complete").doesNotContain("exchange.dispatch");
    }

    @Test
    void isUnavailableWhereTomcatHasForgottenTheApplication() throws IOException {
        answers.put("dispatch", new UnsupportedOperationException("asyncContextImpl.noAsyncDispatcher"));

        in.listener().onAllDataRead();

        assertThat(refused).containsExactly(FixedErrorResponse.STOPPED);
        assertThat(status).isEqualTo(503);
        assertThat(said).endsWith("exchange.complete");
        assertThat(budget.take(PIECE, true)).isTrue();
    }

    @Test
    void isUnavailableWhereTomcatTakesTheDispatchPastTheFilter() throws IOException {
        in.listener().onAllDataRead();
        status = 404;

        exchangeListener.onError(new AsyncEvent(exchange, request, response));

        assertThat(refused).containsExactly(FixedErrorResponse.STOPPED);
        assertThat(status).isEqualTo(503);
        assertThat(said).endsWith("exchange.complete");
        assertThat(budget.take(PIECE, true)).isTrue();
    }

    @Test
    void leavesAResponseThatTheServerHasSent() throws IOException {
        answers.put("isCommitted", true);
        in.listener().onAllDataRead();

        exchangeListener.onError(new AsyncEvent(exchange, request, response));

        assertThat(refused).isEmpty();
        assertThat(said).doesNotContain("exchange.complete");
    }

    @Test
    void leavesAnErrorBehindTheFilterToTheServer() throws Exception {
        in.listener().onAllDataRead();
        assertThat(resume()).isTrue();

        exchangeListener.onError(new AsyncEvent(exchange, request, response));

        assertThat(refused).isEmpty();
        assertThat(said).doesNotContain("exchange.complete");
    }

    @Test
    void isAwaitedByAServerThatEndsTheFilter() throws Exception {
        in.listener().onAllDataRead();
        Thread server = new Thread(pendingDispatches::close);
        server.start();
        await().until(() -> server.getState() == Thread.State.TIMED_WAITING);

        assertThat(resume()).isTrue();

        server.join(500);
        assertThat(server.isAlive()).isFalse();
    }

    @Test
    void takesNothingMoreOnceItHasEnded() throws IOException {
        clock.get(0).run();
        in.arrive(1);

        in.listener().onDataAvailable();

        assertThat(in.available()).isEqualTo(1);
        assertThat(verdict()).isEqualTo(ErrorCode.BODY_TIMEOUT);
    }

    @Test
    void answersABrokenBodyWhileTheServerStillListens() {
        in.listener().onError(new SocketTimeoutException());

        assertThat(refused).extracting(FixedErrorResponse::code).containsExactly(ErrorCode.BODY_TIMEOUT);
        assertThat(said).contains("exchange.complete").doesNotContain("exchange.dispatch");
        assertThat(budget.take(PIECE, true)).isTrue();
    }

    @Test
    void judgesTheBodyThatHasCome() throws Exception {
        in.arrive(3);
        in.end();
        in.listener().onDataAvailable();
        in.listener().onAllDataRead();

        assertThat(said).containsOnlyOnce("exchange.dispatch");
        assertThat(budget.take(PIECE, true)).isFalse();
        assertThat(resume()).isTrue();
        assertThat(status).isEqualTo(404);
    }

    @Test
    void givesTheMemoryBackWhenTheRequestHasBeenProcessed() throws Exception {
        assertThat(resume()).isFalse();
        in.listener().onAllDataRead();

        assertThat(resume()).isTrue();

        assertThat(said).contains("response.setContentLength");
        assertThat(budget.take(PIECE, true)).isTrue();
    }

    @Test
    void dispatchesFromNoThreadOfGlassFish() throws IOException {
        answers.put("getServerInfo", "Eclipse GlassFish 7.0.21");
        in.listener().onAllDataRead();
        assertThat(said).doesNotContain("exchange.dispatch");

        clock.get(2).run();

        assertThat(said).containsOnlyOnce("exchange.dispatch");
    }

    @Test
    void answersWhereGlassFishLosesTheDispatch() throws Exception {
        answers.put("getServerInfo", "Eclipse GlassFish 7.0.21");
        in.listener().onAllDataRead();
        clock.get(2).run();

        clock.get(1).run();

        assertThat(refused).containsExactly(FixedErrorResponse.DISPATCH_LOST);
        assertThat(said).containsSubsequence("exchange.start", "exchange.complete");
        assertThat(resume()).as("too late").isTrue();
        assertThat(said).containsOnlyOnce("response.setContentLength");
    }

    @Test
    void ignoresDispatchThatGlassFishFinds() throws Exception {
        answers.put("getServerInfo", "Eclipse GlassFish 7.0.21");
        in.listener().onAllDataRead();
        clock.get(2).run();
        assertThat(resume()).isTrue();

        clock.get(1).run();

        assertThat(refused).isEmpty();
        assertThat(said).doesNotContain("exchange.complete");
    }

    @Test
    void isOverloadedWhereItsTurnDoesNotComeInTime() throws IOException {
        BodyProcessingQueue.Place other = occupyQueue();
        beginLarge(bytes -> FixedErrorResponse.NOT_FOUND);
        in.listener().onAllDataRead();
        assertThat(said).doesNotContain("exchange.dispatch");

        clock.get(0).run();

        assertThat(said).containsOnlyOnce("exchange.dispatch");
        assertThat(verdict()).isEqualTo(ErrorCode.OVERLOADED);
        assertThat(budget.take(PIECE, true)).isTrue();
        other.end();
        assertThat(said).containsOnlyOnce("exchange.dispatch");
        assertThat(isQueueFree()).isTrue();
    }

    @Test
    void isOverloadedWhereTheTurnOfAWholeBodyDoesNotCome() throws IOException {
        occupyQueue();
        endFirst();
        newReader(true, bytes -> FixedErrorResponse.NOT_FOUND).awaitTurn();
        assertThat(said).doesNotContain("exchange.dispatch");

        clock.get(0).run();

        assertThat(said).containsOnlyOnce("exchange.dispatch");
        assertThat(verdict()).isEqualTo(ErrorCode.OVERLOADED);
    }

    @Test
    void isProcessedOnceWhereItsTurnComesInTime() throws Exception {
        BodyProcessingQueue.Place other = occupyQueue();
        beginLarge(bytes -> FixedErrorResponse.NOT_FOUND);
        in.listener().onAllDataRead();

        other.end();
        clock.get(0).run();

        assertThat(said).containsOnlyOnce("exchange.dispatch");
        assertThat(isQueueFree()).isFalse();
        assertThat(resume()).isTrue();
        assertThat(status).isEqualTo(404);
        assertThat(isQueueFree()).isTrue();
    }

    @Test
    void leavesTheQueueWhereTheSenderGoesWhileItWaits() throws IOException {
        BodyProcessingQueue.Place other = occupyQueue();
        beginLarge(bytes -> FixedErrorResponse.NOT_FOUND);
        in.listener().onAllDataRead();

        in.listener().onError(new IOException("reset"));
        other.end();

        assertThat(said).doesNotContain("exchange.dispatch");
        assertThat(isQueueFree()).isTrue();
        assertThat(budget.take(PIECE, true)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("failures")
    void leavesTheQueueAfterAFailureOfTheJudge(Throwable failure) throws IOException {
        beginLarge(bytes -> fail(failure));

        assertThatThrownBy(() -> {
                    in.listener().onAllDataRead();
                    resume();
                })
                .isSameAs(failure);

        assertThat(isQueueFree()).isTrue();
        assertThat(budget.take(PIECE, true)).isTrue();
    }

    @Test
    void keepsFailureOfItsJudgeFromTheRequestThatWasBeforeIt() throws IOException {
        BodyProcessingQueue.Place other = occupyQueue();
        beginLarge(bytes -> fail(new LinkageError("fails")));
        in.listener().onAllDataRead();

        other.end();

        assertThat(said).containsOnlyOnce("exchange.dispatch");
    }

    @ParameterizedTest
    @MethodSource("failures")
    void leavesTheQueueWhereTheServerCannotDispatch(Throwable failure) throws IOException {
        beginLarge(bytes -> FixedErrorResponse.NOT_FOUND);
        answers.put("dispatch", failure);

        in.listener().onAllDataRead();

        assertThat(refused).containsExactly(FixedErrorResponse.DISPATCH_LOST);
        assertThat(status).isEqualTo(503);
        assertThat(said).endsWith("exchange.complete");
        assertThat(isQueueFree()).isTrue();
        assertThat(budget.take(PIECE, true)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("failures")
    void leavesTheQueueWhereTheServerCannotComplete(Throwable failure) throws IOException {
        beginLarge(bytes -> FixedErrorResponse.NOT_FOUND);
        answers.put("complete", failure);
        pendingDispatches.close();

        assertThatThrownBy(() -> in.listener().onAllDataRead()).isSameAs(failure);

        assertThat(isQueueFree()).isTrue();
        assertThat(budget.take(PIECE, true)).isTrue();
    }

    @Test
    void leavesTheQueueAtATimeoutOfTheServers() throws IOException {
        beginLarge(bytes -> FixedErrorResponse.NOT_FOUND);
        in.listener().onAllDataRead();
        assertThat(isQueueFree()).isFalse();

        exchangeListener.onTimeout(new AsyncEvent(exchange, request, response));

        assertThat(isQueueFree()).isTrue();
        assertThat(budget.take(PIECE, true)).isTrue();
    }

    static List<Throwable> failures() {
        return List.of(
                new InternalError(), // like an OutOfMemoryError, which JUnit would not survive
                new StackOverflowError(),
                new LinkageError(),
                new RejectedExecutionException());
    }

    /** Begins once more, with a body that is not small. */
    private void beginLarge(Function<byte[], AdmissionResult> judge) throws IOException {
        endFirst();
        newReader(true, judge).begin(request);
    }

    private void endFirst() throws IOException {
        exchangeListener.onComplete(new AsyncEvent(exchange, request, response));
        clock.clear();
        said.clear();
    }

    private BodyProcessingQueue.Place occupyQueue() {
        BodyProcessingQueue.Place other = queue.place(PIECE);
        assertThat(other.tryEnter()).isTrue();
        return other;
    }

    private boolean isQueueFree() {
        BodyProcessingQueue.Place whole = queue.place(PIECE);
        boolean free = whole.tryEnter();
        whole.end();
        return free;
    }

    private static AdmissionResult fail(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) failure;
    }

    /** Runs the filter again for the request, if it was dispatched. */
    private boolean resume() throws IOException, ServletException {
        answers.put(
                "getDispatcherType",
                said.contains("exchange.dispatch") ? DispatcherType.ASYNC : DispatcherType.REQUEST);
        answers.put("getOutputStream", new DiscardingOutputStream());
        return SlowBodyReader.resume(request, response, (any, one) -> {}, ResponseRecorderFixture.newRecorder());
    }

    private ErrorCode verdict() {
        return attributes.values().stream()
                .filter(FixedErrorResponse.class::isInstance)
                .map(refusal -> ((FixedErrorResponse) refusal).code())
                .findFirst()
                .orElseThrow();
    }

    /** Creates a fake that records each call and returns the value that {@link #answers} has for it. */
    private <T> T fake(Class<T> type, String name) {
        return type.cast(Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    said.add(name + "." + method.getName());
                    return switch (method.getName()) {
                        case "getAttribute" -> attributes.get((String) arguments[0]);
                        case "setAttribute" -> attributes.put((String) arguments[0], arguments[1]);
                        case "schedule" -> schedule((Runnable) arguments[0]);
                        case "execute" -> clock.add((Runnable) arguments[0]);
                        case "setStatus" -> {
                            status = (int) arguments[0];
                            yield null;
                        }
                        case "start" -> {
                            ((Runnable) arguments[0]).run();
                            yield null;
                        }
                        case "addListener" -> {
                            exchangeListener = (AsyncListener) arguments[0];
                            yield null;
                        }
                        case "dispatch", "complete" -> {
                            if (answers.get(method.getName()) instanceof Throwable thrown) {
                                throw thrown;
                            }
                            yield null;
                        }
                        case "cancel" -> true;
                        case "getOutputStream" ->
                            answers.getOrDefault("getOutputStream", new DisconnectedOutputStream());
                        default -> answers.get(method.getName());
                    };
                }));
    }

    private ScheduledFuture<?> schedule(Runnable task) {
        clock.add(task);
        return fake(ScheduledFuture.class, "deadline");
    }

    /** The stream of a connection whose sender has disconnected. */
    private static final class DisconnectedOutputStream extends DiscardingOutputStream {

        @Override
        public void write(int b) throws IOException {
            throw new IOException("the sender has gone");
        }
    }
}
