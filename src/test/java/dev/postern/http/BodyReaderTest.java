package dev.postern.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.access.BodyLimit;
import dev.postern.model.ErrorCode;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BodyReaderTest {

    private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(0);
    private final ResponseRecorder responseRecorder = ResponseRecorderFixture.newRecorder();
    private final BodyReader bodyReader = new BodyReader(new BodyBudget(1_000_000), clock, responseRecorder);
    private final BodyLimit limit = new BodyLimit(1_000, "hooks.maxBodyBytes", Duration.ofSeconds(1), "", true);

    @AfterEach
    void end() {
        clock.shutdown();
    }

    @Test
    void answersABodyThatBrokeBeforeItWasAskedFor() throws Exception {
        HttpServletRequest request = stub(HttpServletRequest.class, (self, method, args) -> switch (method.getName()) {
            case "getContentLengthLong" -> 10L;
            case "getInputStream" -> new BrokenInputStream();
            case "getHeaders" -> Collections.emptyEnumeration();
            case "getHeader" -> null;
            default -> new RequestStart("192.0.2.1", "wake", 0, null, null, "");
        });
        List<Object> statuses = new ArrayList<>();
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        HttpServletResponse response = stub(HttpServletResponse.class, (self, method, args) -> {
            if (method.getName().equals("setStatus")) {
                statuses.add(args[0]);
            }
            return method.getName().equals("getOutputStream") ? new RecordingOutputStream(sent) : null;
        });

        bodyReader.take(request, response, stub(FilterChain.class, (self, method, args) -> null), limit, body -> {
            throw new AssertionError("nothing is to be judged");
        });

        assertThat(statuses).containsExactly(400);
        assertThat(sent.toString(UTF_8)).contains("The body broke off");
        assertThat(responseRecorder.errors(ErrorCode.INVALID_PAYLOAD)).isOne();
    }

    @Test
    void treatsUnreadableLengthAsTooLarge() {
        HttpServletRequest request = stub(HttpServletRequest.class, (self, method, args) -> {
            if (method.getName().equals("getContentLengthLong")) {
                throw new NumberFormatException("18446744073709551616");
            }
            return Collections.emptyEnumeration();
        });

        assertThat(bodyReader.error(request, limit))
                .isNotNull()
                .extracting(FixedErrorResponse::code)
                .isEqualTo(ErrorCode.PAYLOAD_TOO_LARGE);
    }

    /** HTTP/1.0 has no expectations: its sender holds nothing back, so that the rest is read without a thread. */
    @ParameterizedTest
    @CsvSource({"HTTP/1.0, true", "HTTP/1.1, false", "HTTP/2.0, false"})
    void awaitsTheRestOfARejectedBodyUnlessItIsHeldBack(String protocol, boolean isAwaited) throws IOException {
        ControlledInputStream rest = new ControlledInputStream();
        AsyncContext exchange = stub(AsyncContext.class, (self, method, args) -> null);
        ServletContext context = stub(ServletContext.class, (self, method, args) -> "A server/1.0");
        HttpServletRequest request = stub(HttpServletRequest.class, (self, method, args) -> switch (method.getName()) {
            case "getProtocol" -> protocol;
            case "getHeader" -> "100-continue";
            case "getContentLengthLong" -> 10_000L;
            case "startAsync" -> exchange;
            case "getServletContext" -> context;
            case "getInputStream" -> rest;
            default -> null;
        });
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        HttpServletResponse response = stub(
                HttpServletResponse.class,
                (self, method, args) ->
                        method.getName().equals("getOutputStream") ? new RecordingOutputStream(sent) : null);

        bodyReader.sendError(FixedErrorResponse.UNAUTHORIZED, request, response);

        assertThat(sent.toString(UTF_8)).contains("\"unauthorized\"", "Authorization: Bearer <token>");
        assertThat(rest.listener() != null).isEqualTo(isAwaited);
    }

    private <T> T stub(Class<T> type, InvocationHandler answers) {
        return type.cast(Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {type}, answers));
    }

    /** The rest of a body whose sender has disconnected. */
    private static final class BrokenInputStream extends ServletInputStream {

        @Override
        public int available() throws IOException {
            throw new IOException("the sender has gone");
        }

        @Override
        public int read() throws IOException {
            throw new IOException("the sender has gone");
        }

        @Override
        public int read(byte[] bytes, int start, int length) throws IOException {
            throw new IOException("the sender has gone");
        }

        @Override
        public boolean isFinished() {
            return false;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setReadListener(ReadListener listener) {
            throw new IllegalStateException("nothing is to be waited for");
        }
    }
}
