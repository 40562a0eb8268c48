package dev.postern.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.config.CredentialHeaders;
import dev.postern.model.ErrorCode;
import dev.postern.model.RequestOrigin;
import jakarta.servlet.FilterChain;
import jakarta.servlet.UnavailableException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AdmittedRequestTest {

    /** What Jetty does in requests that were under way when it stopped the web application. */
    static List<FilterChain> stopped() {
        return List.of(
                (request, response) -> {
                    throw new UnavailableException("Servlet Not Initialized");
                },
                (request, response) -> ((HttpServletResponse) response).sendError(404),
                (request, response) -> ((HttpServletResponse) response).sendError(404, "Not Found"),
                (request, response) -> {
                    throw failureOfEndedFilter();
                });
    }

    /** The exception that Jetty's chain throws where it calls a filter that it has ended. */
    private static NullPointerException failureOfEndedFilter() {
        NullPointerException failure = new NullPointerException("FilterHolder.getFilter() is null");
        Stream<StackTraceElement> server = Stream.of(
                new StackTraceElement("org.eclipse.jetty.ee10.servlet.FilterHolder", "doFilter", null, 208),
                new StackTraceElement("org.eclipse.jetty.ee10.servlet.ServletHandler$Chain", "doFilter", null, 1591));
        Stream<StackTraceElement> before = Arrays.stream(failure.getStackTrace())
                .dropWhile(each -> !each.getClassName().equals(StoppingServerResponse.class.getName()));
        failure.setStackTrace(Stream.concat(server, before).toArray(StackTraceElement[]::new));
        return failure;
    }

    @Test
    void leavesTheFailureOfServletToTheServer() {
        HttpServletRequest request = stub(HttpServletRequest.class, (self, method, args) -> null);
        HttpServletResponse response = stub(HttpServletResponse.class, (self, method, args) -> null);
        FilterChain chain = (passed, answered) -> {
            throw new IllegalStateException("a defect");
        };

        assertThatThrownBy(() -> StoppingServerResponse.pass(chain, request, response))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a defect");
    }

    @ParameterizedTest
    @MethodSource("stopped")
    void tellsTheSenderToTryAgainWhereTheServletHasEnded(FilterChain stopped) throws Exception {
        ResponseRecorder responseRecorder = ResponseRecorderFixture.newRecorder();
        HttpServletRequest request = stub(HttpServletRequest.class, (self, method, args) -> switch (method.getName()) {
            case "setAttribute", "getHeader" -> null;
            case "getHeaders" -> Collections.emptyEnumeration();
            case "getAttribute" -> new RequestStart("192.0.2.1", "wake", 0, null, null, "");
            default -> throw new UnsupportedOperationException(method.getName());
        });
        Map<String, Object> said = new HashMap<>();
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        HttpServletResponse response = stub(HttpServletResponse.class, (self, method, args) -> {
            switch (method.getName()) {
                case "getOutputStream" -> {
                    return new RecordingOutputStream(sent);
                }
                case "setHeader" -> said.put((String) args[0], args[1]);
                default -> said.put(method.getName(), args[0]);
            }
            return null;
        });
        RequestOrigin origin = new RequestOrigin("req_1", "192.0.2.1", "token", 0);

        new AdmittedRequest(request, "wake", new byte[0], null, false, new CredentialHeaders(Set.of()), origin)
                .carryOut(request, response, stopped, responseRecorder);

        assertThat(said).containsEntry("setStatus", 503).containsEntry("Retry-After", "5");
        assertThat(sent.toString(UTF_8)).contains("Postern is being stopped. Nothing was accepted.");
        assertThat(responseRecorder.errors(ErrorCode.UNAVAILABLE)).isOne();
    }

    private static <T> T stub(Class<T> type, InvocationHandler answers) {
        return type.cast(
                Proxy.newProxyInstance(AdmittedRequestTest.class.getClassLoader(), new Class<?>[] {type}, answers));
    }
}
